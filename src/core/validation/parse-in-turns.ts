/** Parses long JSON texts in turns: the items of their long lists are parsed a few at a time. */
import type { Steps } from '../time/steps.ts';
import { measureText } from './extent.ts';
import type { LongList } from './extent.ts';

/** A JSON text that was parsed: undefined when it is not JSON, or too large to be parsed. */
export interface ParsedText {
  readonly json?: unknown;
  /** Says what makes it too large, for the end of a sentence. */
  readonly excess?: string;
}

/** Parses a text, and says instead if it holds too much. */
export function* parseInTurns(text: string): Steps<ParsedText> {
  const { excess, longLists, topFields } = yield* measureText(text);
  if (excess !== undefined) return { excess };
  try {
    return { json: yield* parsePieces(text, longLists, topFields) };
  } catch {
    return {};
  }
}

/** Parses the rest with `null` in place of each long list: what is valid then, with valid items, is valid as a whole. */
function* parsePieces(text: string, lists: readonly LongList[], topFields: number): Steps<unknown> {
  const kept: string[] = [];
  let end = 0;
  for (const { from, to } of lists) {
    kept.push(text.slice(end, from));
    end = to;
  }
  const rest: unknown = JSON.parse([...kept, text.slice(end)].join('null'));
  const [first] = lists;
  if (first === undefined) return rest;
  if (first.key === undefined) return yield* parseItems(text, first);
  // Of a field that is given twice, the last one counts.
  if (typeof rest !== 'object' || rest === null || Object.keys(rest).length !== topFields) return JSON.parse(text);
  for (const list of lists) {
    const value = yield* parseItems(text, list);
    const name = String(JSON.parse(list.key ?? ''));
    Object.defineProperty(rest, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return rest;
}

function* parseItems(text: string, { from, to, cuts }: LongList): Steps<unknown[]> {
  const items: unknown[] = [];
  const ends = [...cuts, to - 1];
  for (const [i, end] of ends.entries()) {
    yield;
    const piece = JSON.parse(`[${text.slice((ends[i - 1] ?? from) + 1, end)}]`) as unknown[];
    if (piece.length === 0) throw new SyntaxError('There is no item between two commas.');
    for (const item of piece) items.push(item);
  }
  return items;
}
