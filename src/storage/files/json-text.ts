/** Parses JSON texts of any length. */
import type { Steps } from '../../core/time/steps.ts';
import type { ExtentLimits } from '../../core/validation/extent.ts';
import { parseInTurns } from '../../core/validation/parse-in-turns.ts';

/** A text of so many characters takes some milliseconds to parse. */
const shortText = 500_000;

const unlimited: ExtentLimits = {
  isLong: () => true,
  maxFields: Number.POSITIVE_INFINITY,
  maxValues: Number.POSITIVE_INFINITY,
  maxNameLength: Number.POSITIVE_INFINITY,
  maxTextLength: Number.POSITIVE_INFINITY,
};

/** Parses a text as `JSON.parse` does. Throws what it throws. */
export function* parseJsonInSteps(text: string): Steps<unknown> {
  if (text.length <= shortText) return JSON.parse(text);
  const { json } = yield* parseInTurns(text, unlimited);
  // One that is nested deeply is not read in turns.
  return json === undefined ? JSON.parse(text) : json;
}
