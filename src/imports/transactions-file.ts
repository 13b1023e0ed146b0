/** Reads a file of receipts piece by piece, so that its size does not matter for the memory that reading takes. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { constants } from 'node:fs';
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import type { SaxesTagNS } from 'saxes';
import type { XmlElement } from './xml-values.ts';

/** Says why a file is not taken, by a code that names the rule, and where. */
export class FileRefusal extends Error {
  readonly code: string;
  readonly line: number | null;
  readonly column: number | null;

  constructor(code: string, message: string, at: Partial<Pick<XmlElement, 'line' | 'column'>> = {}) {
    super(message);
    this.name = 'FileRefusal';
    this.code = code;
    this.line = at.line ?? null;
    this.column = at.column ?? null;
  }
}

export const maxFileBytes = 512 * 1024 * 1024;
const maxDepth = 16;
const maxElements = 20_000;
const maxAttributes = 32;
/** Limits what stands between two tags, and a tag itself. */
const maxTextLength = 1_000_000;
const pieceBytes = 64 * 1024;

/** Holds what is known of a file when all of it was read. */
export interface FileContent {
  readonly bytes: number;
  readonly digest: string;
}

type TakeTransactions = (elements: readonly XmlElement[]) => void | Promise<void>;

/**
 * Reads the file, and hands over the `<transaction>`s that end in each piece of it. Throws `FileRefusal`, or what `take`
 * throws.
 */
export async function readTransactions(path: string, take: TakeTransactions): Promise<FileContent> {
  // A link could lead out of the folder.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    if (size > maxFileBytes) {
      throw new FileRefusal('too-large', `holds ${size} bytes; at most ${maxFileBytes} are read`);
    }
    const document = new TransactionsDocument();
    const hash = createHash('sha256');
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const buffer = Buffer.allocUnsafe(pieceBytes);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes);
      if (bytesRead === 0) break;
      const piece = buffer.subarray(0, bytesRead);
      if (bytes === 0) checkEncoding(piece);
      bytes += bytesRead;
      hash.update(piece);
      await writePiece(document, decode(decoder, piece, document), take);
    }
    document.end(() => decoder.decode());
    return { bytes, digest: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

async function writePiece(document: TransactionsDocument, text: string, take: TakeTransactions): Promise<void> {
  try {
    document.write(text);
  } finally {
    // What is wrong with them comes before what is wrong with the text after them.
    const ended = document.takeEnded();
    if (ended.length > 0) await take(ended);
  }
}

function checkEncoding(piece: Buffer): void {
  const [first, second] = piece;
  const isWide =
    (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0;
  if (isWide)
    throw new FileRefusal('not-utf-8', 'is UTF-16 or UTF-32: the encoding must be UTF-8', { line: 1, column: 1 });
}

function decode(decoder: TextDecoder, piece: Buffer, document: TransactionsDocument): string {
  try {
    return decoder.decode(piece, { stream: true });
  } catch {
    throw new FileRefusal('not-utf-8', 'holds bytes that are not UTF-8', { line: document.line, column: 1 });
  }
}

const tailLength = 200;
/** Matches the end of a file that is whole. */
const rootEnd = /<\/(?:[^\s<>:]+:)?transactions\s*>\s*$/;

/** Matches the place before what saxes says is wrong. */
const placePattern = /^\d+:\d+: /;

/**
 * Follows the document by its tags, and keeps nothing but the transaction that is being read. The parser has six
 * handlers and no more: with a seventh, V8 takes it for a dictionary, and reading costs four times as much.
 */
class TransactionsDocument {
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  readonly #open: XmlElement[] = [];
  /** Holds the transactions that have ended, and that nobody has taken. */
  #ended: XmlElement[] = [];
  #elements = 0;
  #lastEvent = 0;
  /** Holds the place of the tag that is being read. */
  #line = 1;
  #column = 1;
  /** Holds the place of the last tag that was read, and the last characters. */
  #lastLine = 1;
  #lastColumn = 1;
  #tail = '';
  #isEnding = false;

  constructor() {
    this.#parser.on('doctype', () => {
      throw new FileRefusal('doctype', 'has a DOCTYPE; leave it out, as nothing is read from one', this.#here());
    });
    this.#parser.on('opentagstart', () => this.#begin());
    this.#parser.on('opentag', (tag) => this.#enter(tag));
    this.#parser.on('closetag', () => this.#leave());
    this.#parser.on('text', (text) => this.#addText(text));
    this.#parser.on('cdata', (text) => this.#addText(text));
  }

  get line(): number {
    return this.#parser.line;
  }

  takeEnded(): XmlElement[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }

  write(text: string): void {
    this.#tail = `${this.#tail}${text.slice(-tailLength)}`.slice(-tailLength);
    this.#parse(() => this.#parser.write(text));
    if (this.#parser.position - this.#lastEvent > maxTextLength) {
      throw new FileRefusal('too-large', `has more than ${maxTextLength} characters without an element`, this.#here());
    }
  }

  /** Ends the document with what is left of its last character. */
  end(rest: () => string): void {
    this.#isEnding = true;
    this.#parse(() => this.#parser.write(this.#decodeEnd(rest)).close());
  }

  #decodeEnd(rest: () => string): string {
    try {
      return rest();
    } catch (error) {
      if (error instanceof TypeError) throw this.#torn('ends in the middle of a character');
      throw error;
    }
  }

  #parse(step: () => unknown): void {
    try {
      step();
    } catch (error) {
      if (error instanceof Error && placePattern.test(error.message)) this.#refuse(error.message);
      throw error;
    }
  }

  #here(): { readonly line: number; readonly column: number } {
    return { line: this.#parser.line, column: Math.max(1, this.#parser.column) };
  }

  #torn(message: string): FileRefusal {
    return new FileRefusal('torn', `is not whole: ${message}`, this.#here());
  }

  #refuse(reason: string): never {
    const message = reason.replace(placePattern, '').replace(/\.$/, '');
    if (this.#isEnding && !rootEnd.test(this.#tail)) throw this.#torn(message);
    if (this.#isEnding) {
      const why = 'something is opened here and never closed; an & that is not written as &amp; does that';
      const place = { line: this.#lastLine, column: this.#lastColumn };
      throw new FileRefusal('malformed', `is not well-formed XML: ${why}`, place);
    }
    throw new FileRefusal('malformed', `is not well-formed XML: ${message}`, this.#here());
  }

  #begin(): void {
    this.#line = this.#parser.line;
    this.#column = Math.max(1, this.#parser.column);
    if (this.#open.length === 0) this.#checkDeclaration();
  }

  #checkDeclaration(): void {
    const { encoding } = this.#parser.xmlDecl;
    if (encoding === undefined || /^utf-?8$/i.test(encoding)) return;
    const message = `declares the encoding ${encoding}; it must be UTF-8`;
    throw new FileRefusal('not-utf-8', message, { line: 1, column: 1 });
  }

  /** Notes the place behind a tag. */
  #pass(): void {
    this.#lastEvent = this.#parser.position;
    this.#lastLine = this.#parser.line;
    this.#lastColumn = Math.max(1, this.#parser.column);
  }

  #enter({ local, attributes, prefix }: SaxesTagNS): void {
    this.#pass();
    const depth = this.#open.length;
    const element: XmlElement = {
      name: local,
      line: this.#line,
      column: this.#column,
      attributes: attributesOf(attributes),
      children: [],
      text: '',
    };
    if (depth >= maxDepth) throw new FileRefusal('malformed', `is nested deeper than ${maxDepth} elements`, element);
    if (depth === 0 && local !== 'transactions') {
      const message = `has the root <${qualified(prefix, local)}>; it must be <transactions>`;
      throw new FileRefusal('wrong-root', message, element);
    }
    if (depth === 1 && local !== 'transaction') {
      const message = `holds <${qualified(prefix, local)}>; <transactions> holds <transaction> alone`;
      throw new FileRefusal('wrong-root', message, element);
    }
    if (depth === 1) this.#elements = 0;
    if (++this.#elements > maxElements) {
      throw new FileRefusal('too-large', `has a transaction of more than ${maxElements} elements`, element);
    }
    if (element.attributes.length > maxAttributes) {
      throw new FileRefusal('too-large', `has an element of more than ${maxAttributes} attributes`, element);
    }
    if (depth >= 2) this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  #leave(): void {
    this.#pass();
    const element = this.#open.pop();
    if (element && this.#open.length === 1) this.#ended.push(element);
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element && this.#open.length >= 2) element.text += text;
    else if (element && text.trim() !== '') {
      throw new FileRefusal('wrong-root', 'holds text between its transactions', this.#here());
    }
  }
}

const qualified = (prefix: string, local: string): string => (prefix === '' ? local : `${prefix}:${local}`);

const schemaInstance = 'http://www.w3.org/2001/XMLSchema-instance';

const noAttributes: XmlElement['attributes'] = [];

function attributesOf(attributes: SaxesTagNS['attributes']): XmlElement['attributes'] {
  const all = Object.values(attributes);
  if (all.length === 0) return noAttributes;
  return all
    .filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns' && prefix !== 'xml')
    .map(({ uri, local, value }) => [uri === schemaInstance ? `xsi:${local}` : local, value] as const);
}
