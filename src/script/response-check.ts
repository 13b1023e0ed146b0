/** Holds an answer against what a step expects of it. */
import { isSecretName } from '../core/exchange/redaction.ts';
import type { Step } from '../scenario/steps/step-schema.ts';
import { matchesStatus } from '../verdict/expectations/matched-requests.ts';
import { formatValue, compileValueMatcher } from '../matching/value-matcher.ts';
import { fieldDifferences, describeDifference, isFieldMap, matchesValue } from '../matching/value-differences.ts';
import type { StepResponse } from './step-request.ts';

type Expected = NonNullable<Step['expect']>;

/** What is not as expected; nothing when all is. */
export function responseMismatches(answered: StepResponse, expected: Expected): string[] {
  const { status, broken, networkErrors } = answered;
  if (expected.networkError !== undefined) return networkErrorMismatches(answered, expected.networkError);
  if (broken !== undefined && !(status !== undefined && expected.status === undefined && networkErrors.length === 0)) {
    return [`expected an answer${statusWords(expected)}, got ${broken}`];
  }
  const statusDifferences = statusMismatches(answered, expected);
  return [
    ...statusDifferences,
    ...headerMismatches(answered, expected),
    // Of another answer, the body is told with its status.
    ...(statusDifferences.length > 0 ? [] : bodyMismatches(answered, expected)),
  ];
}

function networkErrorMismatches(
  { networkErrors, broken, status }: StepResponse,
  expected: NonNullable<Expected['networkError']>,
): string[] {
  const words = expected === 'any' ? 'no whole answer' : `no whole answer (${expected})`;
  if (broken === undefined) return [`expected ${words}, got the status ${status}`];
  return networkErrors.includes(expected) ? [] : [`expected ${words}, got ${broken}`];
}

const statusWords = ({ status }: Expected): string =>
  status === undefined ? '' : ` of status ${[status].flat().join(' or ')}`;

/** How much of a body is told that came with another status, in characters. */
const longestBody = 400;

function statusMismatches({ status, body }: StepResponse, expected: Expected): string[] {
  const wanted = expected.status === undefined ? ['2xx', '3xx'] : [expected.status].flat();
  if (wanted.some((one) => matchesStatus(one, status))) return [];
  const words = expected.status === undefined ? 'below 400' : wanted.join(' or ');
  const got = body === undefined ? '' : `: ${JSON.stringify(body).slice(0, longestBody)}`;
  return [`expected a status ${words}, got ${status}${got}`];
}

const headerMismatches = ({ headers }: StepResponse, expected: Expected): string[] =>
  Object.entries(expected.headers ?? {}).flatMap(([name, wanted]) => {
    const actual = headers[name.toLowerCase()];
    if (matchesValue(wanted, actual)) return [];
    if (isSecretName(name)) return [`header ${name} is not as expected (its value is not shown)`];
    return [`header ${name} is ${formatValue(actual)}, expected ${compileValueMatcher(wanted).description}`];
  });

function bodyMismatches({ body }: StepResponse, expected: Expected): string[] {
  if (expected.body === undefined) return [];
  if (isFieldMap(expected.body)) return fieldDifferences(expected.body, body, 'body').map(describeDifference);
  return matchesValue(expected.body, body)
    ? []
    : [`body is ${formatValue(body)}, expected ${compileValueMatcher(expected.body).description}`];
}
