/** Limits how much a JSON value holds, so that reading it and walking through it keep nobody else waiting for long. */
import { finish } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';

/** Limits nesting to more than any client needs, so that code may walk a body recursively. */
export const maxNestingDepth = 100;

/** A text of so many characters is read in turns, and so is what it holds. */
const longText = 16_000;

export const isLongText = (text: string): boolean => text.length >= longText;

const manyPatterns = 20;

/** True for a text with many patterns, which are compiled when it is read: one of a few characters may take a millisecond. */
const hasManyPatterns = (text: string): boolean => text.split('"matches"', manyPatterns + 2).length > manyPatterns + 1;

/** Limits how much a body holds. */
export interface ExtentLimits {
  /** True for a body that is read in turns. */
  readonly isLong: (text: string) => boolean;
  /** Limits the fields of one object: reading hundreds of thousands would hold up everybody else. */
  readonly maxFields: number;
  /** Limits the values of a text, those that hold others included. */
  readonly maxValues: number;
  /** Limits the name of a field, in characters as they are sent. */
  readonly maxNameLength: number;
  /** Limits a value that is a text, in characters as they are sent: to search or check a longer one takes its time. */
  readonly maxTextLength: number;
}

const maxNameLength = 1000;

/** Limits the bodies of the service, and what its clients receive: 100 values for each of 4,000 contacts. */
export const serviceExtent: ExtentLimits = {
  isLong: isLongText,
  maxFields: 10_000,
  maxValues: 400_000,
  maxNameLength,
  maxTextLength: 1_000_000,
};

/** Limits the objects of a fixture, which may have any number of them, and names and texts of any length. */
export const fixtureExtent: ExtentLimits = {
  ...serviceExtent,
  maxValues: Number.POSITIVE_INFINITY,
  maxNameLength: Number.POSITIVE_INFINITY,
  maxTextLength: Number.POSITIVE_INFINITY,
};

/** Limits the bodies of the control API, of which each part is validated in several ways: 100 values for each of 1,000 steps. */
export const controlExtent: ExtentLimits = {
  isLong: (text) => isLongText(text) || hasManyPatterns(text),
  maxFields: 1000,
  maxValues: 100_000,
  maxNameLength,
  maxTextLength: 100_000,
};

const tooDeep = `is nested deeper than ${maxNestingDepth} levels`;
const tooWide = ({ maxFields }: ExtentLimits): string => `has an object with more than ${maxFields} fields`;
const nameTooLong = `has a field whose name has more than ${maxNameLength} characters`;
const textTooLong = ({ maxTextLength }: ExtentLimits): string =>
  `holds a text of more than ${maxTextLength} characters`;
const tooMany = ({ maxValues }: ExtentLimits): string => `holds more than ${maxValues} values`;

/** Returns what makes a parsed value too large to be walked, for the end of a sentence; undefined for any usual one. */
export function findExcess(
  sent: unknown,
  limits: ExtentLimits = serviceExtent,
  levels = maxNestingDepth,
): string | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  if (levels === 0) return tooDeep;
  if (Array.isArray(sent)) return firstExcess(sent, limits, levels);
  let fields = 0;
  // Object.values would take far longer for an object that has too many.
  for (const name in sent) {
    if (++fields > limits.maxFields) return tooWide(limits);
    if (name.length > limits.maxNameLength) return nameTooLong;
    const inner: unknown = (sent as Record<string, unknown>)[name];
    const found = typeof inner === 'object' ? findExcess(inner, limits, levels - 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstExcess(items: readonly unknown[], limits: ExtentLimits, levels: number): string | undefined {
  for (const item of items) {
    const found = typeof item === 'object' ? findExcess(item, limits, levels - 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const charactersAtOnce = 256 * 1024;

/** A long list or object is parsed in pieces of at least so many characters. */
const pieceLength = 64 * 1024;

const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [bracket, closingBracket, brace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns the value of a JSON text; undefined for any other, and for one that holds too much to be walked. */
export function parseWithinBounds(text: string): unknown {
  try {
    // A shorter one can't hold so many.
    if (text.length > serviceExtent.maxValues && finish(measureText(text)).excess !== undefined) return undefined;
    const value: unknown = JSON.parse(text);
    return findExcess(value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Describes a long list or object in a JSON text. */
export interface LongContainer {
  readonly isList: boolean;
  /** Holds the place of its first bracket, as `to` holds that of its last. */
  readonly from: number;
  readonly to: number;
  /** Lists the places of commas between what it holds. */
  readonly cuts: readonly number[];
  /** Lists those that it holds, and that no other one in it does, in the order of the text. */
  readonly inner: readonly LongContainer[];
}

/** Describes what is known of a JSON text before it is parsed; of a text that is not JSON it says nothing of use. */
export interface TextExtent {
  /** Says what makes it too large to be parsed, for the end of a sentence. */
  readonly excess?: string;
  /** Lists the long containers that no other one holds, in the order of the text. */
  readonly containers: readonly LongContainer[];
}

const refused = (excess: string): TextExtent => ({ excess, containers: [] });

/** Notes where the long lists and objects of a text are, while somebody reads it. */
class LongContainers {
  readonly found: LongContainer[] = [];
  readonly #from: number[] = [];
  readonly #cuts: (number[] | undefined)[] = [];

  opened(from: number): void {
    this.#from.push(from);
    this.#cuts.push(undefined);
  }

  passedComma(at: number): void {
    const depth = this.#from.length - 1;
    const cuts = this.#cuts[depth];
    if (at - (cuts?.at(-1) ?? this.#from[depth] ?? at) <= pieceLength) return;
    if (cuts) cuts.push(at);
    else this.#cuts[depth] = [at];
  }

  closed(to: number, isList: boolean, text: string): void {
    const [from, cuts] = [this.#from.pop(), this.#cuts.pop()];
    // A bracket that closes another kind is left to the parser.
    if (from === undefined || to - from <= pieceLength || isList !== (text.charCodeAt(from) === bracket)) return;
    const inner = this.found.splice(this.found.findLastIndex((one) => one.from < from) + 1);
    this.found.push({ isList, from, to, cuts: cuts ?? [], inner });
  }
}

/** True for a quote that belongs to a text of a JSON text: an odd number of backslashes is before it. */
function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}

/** Returns the place of the quote that ends a text; the length of the JSON text where there is none. */
export function* findEndOfText(json: string, from: number): Steps<number> {
  let readUpTo = from + charactersAtOnce;
  let end = json.indexOf('"', from + 1);
  while (end >= 0 && isEscaped(json, end)) {
    end = json.indexOf('"', end + 1);
    if (end < readUpTo) continue;
    yield;
    readUpTo = end + charactersAtOnce;
  }
  return end < 0 ? json.length : end;
}

/** Reads a JSON text without parsing it: parsing can't be left for a while, and takes seconds for some texts of 16 MB. */
export function* measureText(text: string, limits: ExtentLimits = serviceExtent): Steps<TextExtent> {
  const containers = new LongContainers();
  let values = 1;
  let [textLength, readUpTo] = [0, 0];
  const fields: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (at >= readUpTo) {
      yield;
      readUpTo = at + charactersAtOnce;
    }
    const code = text.charCodeAt(at);
    if (code <= space) continue;
    if (code === bracket || code === brace) {
      if (fields.push(0) > maxNestingDepth) return refused(tooDeep);
      containers.opened(at);
      // The first value in it; one that is empty counts twice, and takes as long.
      values++;
    } else if (code === closingBracket || code === closingBrace) {
      containers.closed(at, code === closingBracket, text);
      fields.pop();
    } else if (code === quote) {
      const from = at;
      at = yield* findEndOfText(text, from);
      // One that does not end is left to the parser.
      textLength = at < text.length ? at - from - 1 : 0;
      if (textLength > limits.maxTextLength) return refused(textTooLong(limits));
    } else if (code === comma) {
      values++;
      containers.passedComma(at);
    } else if (code === colon) {
      const named = (fields.pop() ?? 0) + 1;
      if (named > limits.maxFields) return refused(tooWide(limits));
      if (textLength > limits.maxNameLength) return refused(nameTooLong);
      fields.push(named);
    }
    if (values > limits.maxValues) return refused(tooMany(limits));
  }
  return { containers: containers.found };
}
