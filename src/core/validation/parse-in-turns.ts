/** Parses long JSON texts in turns: what their long lists and objects hold is parsed piece by piece. */
import type { Steps } from '../time/steps.ts';
import { measureText } from './extent.ts';
import type { ExtentLimits, LongContainer } from './extent.ts';

/** Holds a JSON text that was parsed: undefined when it is not JSON, or too large to be parsed. */
export interface ParsedJson {
  readonly json?: unknown;
  /** Says what makes it too large, for the end of a sentence. */
  readonly excess?: string;
}

/** Parses a text, and says instead if it holds too much. */
export function* parseInTurns(text: string, limits?: ExtentLimits): Steps<ParsedJson> {
  const { excess, containers } = yield* measureText(text, limits);
  if (excess !== undefined) return { excess };
  try {
    return { json: yield* parsePart(text, { from: 0, to: text.length, inner: containers }) };
  } catch {
    return {};
  }
}

/** Describes a part of a text: from a place up to, and without, another. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly inner: readonly LongContainer[];
}

/**
 * Parses a part between two brackets, or a whole text. First it is parsed with a short text in place of each long
 * container: what is valid then, with valid containers, is valid as a whole if each of those is found again as a value.
 */
function* parsePart(text: string, { from, to, inner }: Part, [opening, closing] = ['', '']): Steps<unknown> {
  const missing = new Map<unknown, unknown>();
  let rest = '';
  let end = from;
  for (const container of inner) {
    const stand = `piece ${missing.size}`;
    missing.set(stand, yield* container.isList ? parseItems(text, container) : parseFields(text, container));
    rest += `${text.slice(end, container.from)}"${stand}"`;
    end = container.to + 1;
  }
  yield;
  const whole = { value: JSON.parse(`${opening}${rest}${text.slice(end, to)}${closing}`) as unknown };
  // A name that is given twice has dropped one, or a text of the body is the same.
  const isRestored = inner.length === 0 || (putBack(whole, missing) === inner.length && missing.size === 0);
  return isRestored ? whole.value : JSON.parse(`${opening}${text.slice(from, to)}${closing}`);
}

/** Puts what is missing in the place of the texts that stand for it; returns how many there were, NaN if one is a name. */
function putBack(holder: object, missing: Map<unknown, unknown>, stands = new Set(missing.keys())): number {
  let stood = 0;
  for (const [name, value] of Object.entries(holder)) {
    if (stands.has(name)) return Number.NaN;
    if (typeof value === 'object' && value !== null) stood += putBack(value as object, missing, stands);
    if (!stands.has(value)) continue;
    stood++;
    setOwn(holder, name, missing.get(value));
    missing.delete(value);
  }
  return stood;
}

/** Sets a field as parsing does, whatever its name. */
const setOwn = (holder: object, name: string, value: unknown): void =>
  void Object.defineProperty(holder, name, { value, enumerable: true, writable: true, configurable: true });

/** Returns the parts between the commas at which a container is cut. */
function* piecesOf({ from, to, cuts, inner }: LongContainer): Generator<Part> {
  let begin = from + 1;
  for (const end of [...cuts, to]) {
    yield { from: begin, to: end, inner: inner.filter((one) => one.from >= begin && one.to < end) };
    begin = end + 1;
  }
}

const nothingBetween = 'There is nothing between two commas.';

function* parseItems(text: string, container: LongContainer): Steps<unknown[]> {
  const items: unknown[] = [];
  for (const piece of piecesOf(container)) {
    const parsed = (yield* parsePart(text, piece, ['[', ']'])) as unknown[];
    if (parsed.length === 0 && container.cuts.length > 0) throw new SyntaxError(nothingBetween);
    for (const item of parsed) items.push(item);
  }
  return items;
}

function* parseFields(text: string, container: LongContainer): Steps<object> {
  const fields = {};
  for (const piece of piecesOf(container)) {
    const parsed = Object.entries((yield* parsePart(text, piece, ['{', '}'])) as object);
    if (parsed.length === 0 && container.cuts.length > 0) throw new SyntaxError(nothingBetween);
    for (const [name, value] of parsed) setOwn(fields, name, value);
  }
  return fields;
}
