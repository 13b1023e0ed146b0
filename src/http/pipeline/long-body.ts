/** Reads long bodies in turns, so that others have theirs in between. */
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { FieldError } from '../../core/exchange/api-error.ts';
import type { Steps } from '../../core/time/steps.ts';
import { examineItems, findTooLongLists } from '../../core/validation/examined-items.ts';
import * as z from '../../core/validation/deferred-zod.ts';
import { parseInTurns } from '../../core/validation/parse-in-turns.ts';
import {
  countKnownKeys,
  loneSurrogateErrorsInTurns,
  unknownFieldsInTurns,
} from '../../core/validation/unknown-fields.ts';
import type { UnknownField } from '../../core/validation/unknown-fields.ts';
import { countKeysInTurns, duplicateKeysInTurns } from './duplicate-keys.ts';
import { mayHoldSurrogates } from './request-body.ts';
import type { RequestScope } from './request-scope.ts';

/** Holds a body as it was sent, and what is known of it if it was looked at before. */
export interface SentBody {
  readonly text: string;
  /** Says why it is too large to be parsed, if that is known. */
  readonly excess?: string;
  /** Holds its value, which is not too large to be walked. */
  readonly json?: unknown;
  /** Says which of its lists are too long; nobody has looked at it any closer then. */
  readonly lengthErrors?: readonly FieldError[];
  readonly looks?: BodyLooks;
}

/** Holds what closer looks at a body have found. */
export interface BodyLooks {
  readonly surrogateErrors: readonly FieldError[];
  /** Names the fields that are given more than once. */
  readonly repeated: readonly string[];
  readonly unknown: readonly UnknownField[];
}

/** True for a list of more items than an endpoint takes. */
export const hasTooManyItems = <Context>(
  { bodyRules }: Endpoint<Context, unknown>,
  json: unknown,
): json is readonly unknown[] => Array.isArray(json) && json.length > (bodyRules?.maxItems ?? Number.POSITIVE_INFINITY);

/** Parses a body, and looks at each of its items. */
export function* readLongBody<Context>(
  endpoint: Endpoint<Context, unknown>,
  text: string,
  { context, extent, fieldValidation, wording }: RequestScope<Context>,
): Steps<SentBody> {
  const { json, excess } = yield* parseInTurns(text, {
    ...extent,
    maxTextLength: endpoint.bodyRules?.maxTextLength ?? extent.maxTextLength,
  });
  if (excess !== undefined) return { text, excess };
  if (!endpoint.body || json === undefined) return { text };
  if (hasTooManyItems(endpoint, json)) return { text, json };
  const tooLong = findTooLongLists(endpoint.body, json, wording.messages);
  if (tooLong.length > 0) return { text, json, lengthErrors: wording.describe(new z.ZodError(tooLong), json).errors };
  yield* examineItems(endpoint.body, json, wording.messages);
  yield;
  const knownKeys = countKnownKeys(endpoint.body, json);
  yield;
  const isLookedFor = fieldValidation !== 'ignore';
  const looks: BodyLooks = {
    surrogateErrors: mayHoldSurrogates(text) ? yield* loneSurrogateErrorsInTurns(json) : [],
    repeated: isLookedFor ? yield* duplicateKeysInTurns(text, knownKeys ?? (yield* countKeysInTurns(json))) : [],
    unknown:
      isLookedFor && knownKeys === undefined
        ? yield* unknownFieldsInTurns(endpoint.body, json, endpoint.bodyRules?.extraFields?.(context))
        : [],
  };
  yield;
  return { text, json, looks };
}
