/** Compares a response with what a step expects. */
import { isSecretName } from '../core/exchange/redaction.ts';
import type { Step } from '../scenario/steps/step-schema.ts';
import { matchesStatus } from '../matching/status-matcher.ts';
import { formatValue } from '../matching/value-matcher.ts';
import {
  describeDifference,
  describeWanted,
  fieldDifferences,
  isFieldMap,
  matchesValue,
} from '../matching/value-differences.ts';
import type { StepResponse } from './step-request.ts';

type Expected = NonNullable<Step['expect']>;

/** Returns what is not as expected, in words. */
export function responseMismatches(response: StepResponse, expected: Expected): string[] {
  const { status, broken, networkErrors } = response;
  if (expected.networkError !== undefined) return networkErrorMismatches(response, expected.networkError);
  if (broken !== undefined && !(status !== undefined && expected.status === undefined && networkErrors.length === 0)) {
    return [`expected a response${statusWords(expected)}, got ${broken}`];
  }
  const statusDifferences = statusMismatches(response, expected);
  return [
    ...statusDifferences,
    ...headerMismatches(response, expected),
    // The message about a wrong status shows the body.
    ...(statusDifferences.length > 0 ? [] : bodyMismatches(response, expected)),
  ];
}

function networkErrorMismatches(
  { networkErrors, broken, status }: StepResponse,
  expected: NonNullable<Expected['networkError']>,
): string[] {
  const words = expected === 'any' ? 'no complete response' : `no complete response (${expected})`;
  if (broken === undefined) return [`expected ${words}, got the status ${status}`];
  return networkErrors.includes(expected) ? [] : [`expected ${words}, got ${broken}`];
}

const statusWords = ({ status }: Expected): string =>
  status === undefined ? '' : ` of status ${[status].flat().join(' or ')}`;

/** Describes the length of a body that is shown with a wrong status, in characters. */
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
    return [`header ${name} is ${formatValue(actual)}, expected ${describeWanted(wanted, actual)}`];
  });

function bodyMismatches({ body }: StepResponse, expected: Expected): string[] {
  if (expected.body === undefined) return [];
  if (isFieldMap(expected.body)) return fieldDifferences(expected.body, body, 'body').map(describeDifference);
  return matchesValue(expected.body, body)
    ? []
    : [`body is ${formatValue(body)}, expected ${describeWanted(expected.body, body)}`];
}
