/**
 * Ends each line of a saved file with two sums: one of the line itself, which reveals that it was changed, and one of
 * all lines so far, which reveals that lines are missing or have changed places.
 */
import { crc32 } from 'node:zlib';
import * as z from '../../core/validation/deferred-zod.ts';
import { edited } from './corruption.ts';
import type { FileLocation } from './corruption.ts';

const field = ',"sum":"';
const digits = 8;
const closingQuote = '"';
/** Holds how much longer a line is by its sums, in bytes. */
export const sumLength = field.length + 2 * digits + closingQuote.length;

/** Stands before the first line. */
export const noLines = '0'.repeat(digits);

/** Describes the field in the JSON of a line. */
export const sumSchema = z.string().optional();

const hexOf = (sum: number): string => sum.toString(16).padStart(digits, '0');

const chained = (before: number, own: number): number => (Math.imul(before, 31) + own) >>> 0;

/** Tells how a line goes with its sums: as it was written, changed since, or after other lines than it was. */
export type LineState = 'whole' | 'changed' | 'moved';

/** Adds and checks the sums of lines, one after another. */
export class LineSums {
  #sum: number;

  /** Continues after the lines that have this sum. */
  constructor(after: string = noLines) {
    this.#sum = Number.parseInt(after, 16);
  }

  /** Returns the sum of all lines so far. */
  get sum(): string {
    return hexOf(this.#sum);
  }

  /** Returns the beginning of a line, an object that is not closed, with its sums. */
  add(line: string): string {
    const own = crc32(line);
    this.#sum = chained(this.#sum, own);
    return `${line}${field}${hexOf(own)}${hexOf(this.#sum)}${closingQuote}`;
  }

  /** Checks the next line, which must end as it was written; goes on from what the line itself says. */
  check(line: Buffer, ending: string): LineState {
    const end = line.length - ending.length;
    const start = end - sumLength;
    if (start < 0 || line.toString('latin1', end) !== ending) return 'changed';
    const written = line.toString('latin1', start, end);
    const own = crc32(line.subarray(0, start));
    const before = this.#sum;
    const sum = written.slice(field.length + digits, -closingQuote.length);
    if (/^[0-9a-f]{8}$/.test(sum)) this.#sum = Number.parseInt(sum, 16);
    if (!written.startsWith(`${field}${hexOf(own)}`) || !written.endsWith(closingQuote)) return 'changed';
    return sum === hexOf(chained(before, own)) ? 'whole' : 'moved';
  }
}

/** Collects the lines that are not as they were written, though they can be read. */
export class Edits {
  readonly #areAccepted: boolean;
  readonly #places: FileLocation[] = [];

  constructor(areAccepted: boolean) {
    this.#areAccepted = areAccepted;
  }

  get places(): readonly FileLocation[] {
    return this.#places;
  }

  /** Notes a line that can be read. Throws when it is not as it was written, unless edits are accepted. */
  add(location: FileLocation, state: LineState): void {
    if (state === 'whole') return;
    if (!this.#areAccepted) throw edited(location, state);
    this.#places.push(location);
  }
}
