/** Writes long values of a scenario file as JSON, which YAML reads as well: thousands of lines of YAML take seconds. */
import type { ScalarTag } from 'yaml';
import type { ApiError } from '../../core/exchange/api-error.ts';
import { isLarge, jsonInSteps } from '../../core/exchange/json-pieces.ts';
import type { Steps } from '../../core/time/steps.ts';
import { apiError } from '../../service/errors/catalog.ts';
import { maxScenarioBytes } from '../../storage/files/source-text.ts';

/** A value of about so many characters is written in lines. */
const longest = 12_000;

/** Limits the items or fields that are written in lines although one of them is long. */
const mostItems = 20;

export const fileTooLargeError = (): ApiError =>
  apiError('Conflict', {
    message: `The file would have more than ${maxScenarioBytes} bytes, the most that are read: send a shorter request, then write the file.`,
  });

/** Matches what JSON holds as it is, and YAML does not. */
const unreadable = /[\u007f\ufffe\uffff]/g;

/** Holds a value as JSON in one line. */
export class JsonText {
  readonly text: string;

  /** Throws `Conflict` for more than a file may hold. */
  constructor(text: string) {
    if (text.length > maxScenarioBytes) throw fileTooLargeError();
    this.text = text.replaceAll(
      unreadable,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  }
}

/** Writes `JsonText` into a file. */
export const jsonTextTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:json',
  default: true,
  identify: (value) => value instanceof JsonText,
  resolve: (text) => text,
  stringify: ({ value }) => (value instanceof JsonText ? value.text : ''),
};

/** Returns a value with JSON in place of each long part of it. */
export function* withJsonTexts(value: unknown): Steps<unknown> {
  if (value instanceof JsonText || !isLarge(value, longest)) return value;
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (fields.length === 0 || fields.length > mostItems) return new JsonText(yield* jsonInSteps(value));
  const parts: [string, unknown][] = [];
  for (const [name, inner] of fields) parts.push([name, yield* withJsonTexts(inner)]);
  return Array.isArray(value) ? parts.map(([, inner]) => inner) : Object.fromEntries(parts);
}
