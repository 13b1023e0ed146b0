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
const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [bracket, closingBracket, brace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns the value of a JSON text; undefined for any other, and for one that holds too much to be walked. */
export function parseWithinBounds(text: string): unknown {
  try {
    if (finish(findExcessInText(text)) !== undefined) return undefined;
    const value: unknown = JSON.parse(text);
    return findExcess(value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns what makes a JSON text too large to be parsed, for the end of a sentence: parsing can't be left for a
 * while, and takes seconds for some texts of 16 MB. Of a text that is not JSON it says nothing of use.
 */
export function* findExcessInText(text: string): Steps<string | undefined> {
  // It can't hold so many.
  if (text.length <= maxValues) return undefined;
  let values = 1;
  let [isInString, isEscaped] = [false, false];
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
      if (fields.push(0) > maxNestingDepth) return tooDeep;
      // The first value in it; one that is empty counts twice, and takes as long.
      values++;
    } else if (code === closingBracket || code === closingBrace) fields.pop();
    else if (code === quote) isInString = true;
    else if (code === comma) values++;
    else if (code === colon) {
      const named = (fields.pop() ?? 0) + 1;
      if (named > maxFields) return tooWide;
      fields.push(named);
    }
    if (values > maxValues) return tooMany;
  }
  return undefined;
}
