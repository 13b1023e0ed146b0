import { compileRequestMatcher, matchesField, matchesFieldInSteps } from '../../matching/request-matcher.ts';
import type { FieldMatcher, RequestMatcher } from '../../matching/request-matcher.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { RequestView } from '../../matching/request-view.ts';
import type { Match } from '../../matching/value-matcher.ts';
import type { ExpectedRequest } from '../../scenario/expectations/expected-request-schema.ts';
import { stepHeader } from '../history/attempt.ts';

export const isFromScript = ({ call }: RequestView): boolean => call.header(stepHeader) !== undefined;

/** Holds a kind of request that is expected, ready to be held against many. */
export interface RequestPattern extends Pick<RequestMatcher, 'isAtTarget' | 'fields'> {
  readonly spec: ExpectedRequest;
}

const compiled = new WeakMap<ExpectedRequest, RequestPattern>();

/** Returns the same pattern for the same expectation: what was found out with it is known by its fields. */
export function requestPattern(spec: ExpectedRequest): RequestPattern {
  const known = compiled.get(spec);
  if (known) return known;
  const { isAtTarget, fields } = compileRequestMatcher(spec);
  const pattern = { spec, isAtTarget, fields: spec.by === undefined ? fields : [...fields, senderMatcher(spec.by)] };
  compiled.set(spec, pattern);
  return pattern;
}

/** Says how a request that went to the right place differs from those meant. */
export const requestDifferences = ({ fields }: RequestPattern, request: RequestView): string[] =>
  fields.flatMap((field) => (matchesField(field, request) ? [] : [field.describeActual(field.valuesIn(request))]));

/** Tells whether a request is meant. */
export function* matchesAllFields({ fields }: RequestPattern, request: RequestView): Steps<Match> {
  let known: Match = true;
  for (const field of fields) {
    const match =
      request.isLong || field.wanted.isSearch
        ? yield* matchesFieldInSteps(field, request)
        : matchesField(field, request);
    if (match === false) return false;
    if (match === undefined) known = undefined;
  }
  return known;
}

const senderOf = (request: RequestView): readonly string[] => [isFromScript(request) ? 'script' : 'client'];

const describeSender = ([sender]: readonly unknown[]): string => `it was sent by a ${String(sender)}`;

const senderMatcher = (by: NonNullable<ExpectedRequest['by']>): FieldMatcher => ({
  name: 'by',
  wanted: {
    matches: (sender) => sender === by,
    matchesAbsent: false,
    literals: [by],
    isSearch: false,
    workFor: () => 1,
  },
  isSecret: false,
  valuesIn: senderOf,
  describeActual: describeSender,
  explainMismatch: (request) => describeSender(senderOf(request)),
});
