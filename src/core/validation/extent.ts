/** Limits how much a JSON value holds, so that reading it and walking through it keep nobody else waiting for long. */
import { finish } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';

/** Limits nesting to more than any client needs, so that code may walk a body recursively. */
export const maxNestingDepth = 100;

/** Limits the fields of one object: reading hundreds of thousands would hold up everybody else. */
const maxFields = 10_000;

/** Limits the values of a text, those that hold others included: 100 for each of 4,000 contacts. */
const maxValues = 400_000;

const tooDeep = `is nested deeper than ${maxNestingDepth} levels`;
const tooWide = `has an object with more than ${maxFields} fields`;
const tooMany = `holds more than ${maxValues} values`;

/** Returns what makes a parsed value too large to be walked, for the end of a sentence; undefined for any usual one. */
export function findExcess(sent: unknown, levels = maxNestingDepth): string | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  if (levels === 0) return tooDeep;
  if (Array.isArray(sent)) return firstExcess(sent, levels);
  let fields = 0;
  // Object.values would take far longer for an object that has too many.
  for (const name in sent) {
    if (++fields > maxFields) return tooWide;
    const inner: unknown = (sent as Record<string, unknown>)[name];
    const found = typeof inner === 'object' ? findExcess(inner, levels - 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstExcess(items: readonly unknown[], levels: number): string | undefined {
  for (const item of items) {
    const found = typeof item === 'object' ? findExcess(item, levels - 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const charactersAtOnce = 256 * 1024;

/** A list is parsed in pieces of at least so many characters. */
const pieceLength = 64 * 1024;

const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [bracket, closingBracket, brace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns the value of a JSON text; undefined for any other, and for one that holds too much to be walked. */
export function parseWithinBounds(text: string): unknown {
  try {
    // A shorter one can't hold so many.
    if (text.length > maxValues && finish(measureText(text)).excess !== undefined) return undefined;
    const value: unknown = JSON.parse(text);
    return findExcess(value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Describes a long list at the top of a JSON text, or in a field of the object at its top. */
export interface LongList {
  /** Its field, as it is written; undefined for the list at the top. */
  readonly key: string | undefined;
  /** The place of its first bracket, and the one after its last. */
  readonly from: number;
  readonly to: number;
  /** Places of commas between its items. */
  readonly cuts: readonly number[];
}

/** What is known of a JSON text before it is parsed; of a text that is not JSON it says nothing of use. */
export interface TextExtent {
  /** Says what makes it too large to be parsed, for the end of a sentence. */
  readonly excess?: string;
  readonly longLists: readonly LongList[];
  /** Counts the fields of the object at its top, also those that are given twice. */
  readonly topFields: number;
}

const refused = (excess: string): TextExtent => ({ excess, longLists: [], topFields: 0 });

/** Notes where the long lists of a text are, while somebody reads it. */
class LongLists {
  readonly found: LongList[] = [];
  /** Holds the last key of the object at the top, as it is written. */
  key: string | undefined;
  #open: { readonly key: string | undefined; readonly from: number; readonly depth: number } | undefined;
  #cuts: number[] = [];

  opened(from: number, depth: number): void {
    const { key } = this;
    if (this.#open !== undefined || depth > (key === undefined ? 1 : 2)) return;
    this.#open = { key, from, depth };
    this.#cuts = [];
  }

  passedComma(at: number, depth: number): void {
    if (this.#open?.depth === depth && at - (this.#cuts.at(-1) ?? this.#open.from) > pieceLength) this.#cuts.push(at);
  }

  closed(at: number, depth: number, isList: boolean): void {
    if (this.#open?.depth !== depth) return;
    const { key, from } = this.#open;
    if (isList && this.#cuts.length > 0) this.found.push({ key, from, to: at + 1, cuts: this.#cuts });
    this.#open = undefined;
  }
}

/** Reads a JSON text without parsing it: parsing can't be left for a while, and takes seconds for some texts of 16 MB. */
export function* measureText(text: string): Steps<TextExtent> {
  const lists = new LongLists();
  let values = 1;
  let [isInString, isEscaped] = [false, false];
  let [stringFrom, topFields] = [0, 0];
  const fields: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (at % charactersAtOnce === 0) yield;
    const code = text.charCodeAt(at);
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (code === backslash) isEscaped = true;
      else if (code === quote) isInString = false;
      continue;
    }
    if (code <= space) continue;
    if (code === bracket || code === brace) {
      if (fields.push(0) > maxNestingDepth) return refused(tooDeep);
      if (code === bracket) lists.opened(at, fields.length);
      // The first value in it; one that is empty counts twice, and takes as long.
      values++;
    } else if (code === closingBracket || code === closingBrace) {
      lists.closed(at, fields.length, code === closingBracket);
      fields.pop();
    } else if (code === quote) {
      isInString = true;
      stringFrom = at;
    } else if (code === comma) {
      values++;
      lists.passedComma(at, fields.length);
    } else if (code === colon) {
      const named = (fields.pop() ?? 0) + 1;
      if (named > maxFields) return refused(tooWide);
      if (fields.push(named) === 1) {
        topFields = named;
        lists.key = text.slice(stringFrom, at);
      }
    }
    if (values > maxValues) return refused(tooMany);
  }
  return { longLists: lists.found, topFields };
}
