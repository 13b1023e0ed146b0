/** Holds an answer against what a step expects of it. */
import { isSecret } from '../core/secrets.ts';
import type { Step } from '../scenario/step-schema.ts';
import { isStatus } from '../verdict/calls.ts';
import { shownValue, wantedOf } from '../scenario/wanted.ts';
import { differences, differenceWords, isNamedValues, isWanted } from '../verdict/values.ts';
import type { Answered } from './request.ts';

type Expected = NonNullable<Step['expect']>;

/** What is not as expected; nothing when all is. */
export function answerFaults(answered: Answered, expected: Expected): string[] {
  const { status, broken, faults } = answered;
  if (expected.fault !== undefined) return faultFaults(answered, expected.fault);
  if (broken !== undefined && !(status !== undefined && expected.status === undefined && faults.length === 0)) {
    return [`expected an answer${statusWords(expected)}, got ${broken}`];
  }
  const statusFaults = statusFault(answered, expected);
  return [
    ...statusFaults,
    ...headerFaults(answered, expected),
    // Of another answer, the body is told with its status.
    ...(statusFaults.length > 0 ? [] : bodyFaults(answered, expected)),
  ];
}

function faultFaults({ faults, broken, status }: Answered, expected: NonNullable<Expected['fault']>): string[] {
  const words = expected === 'any' ? 'no whole answer' : `no whole answer (${expected})`;
  if (broken === undefined) return [`expected ${words}, got the status ${status}`];
  return faults.includes(expected) ? [] : [`expected ${words}, got ${broken}`];
}

const statusWords = ({ status }: Expected): string =>
  status === undefined ? '' : ` of status ${[status].flat().join(' or ')}`;

/** How much of a body is told that came with another status, in characters. */
const longestBody = 400;

function statusFault({ status, body }: Answered, expected: Expected): string[] {
  const wanted = expected.status === undefined ? ['2xx', '3xx'] : [expected.status].flat();
  if (wanted.some((one) => isStatus(one, status))) return [];
  const words = expected.status === undefined ? 'below 400' : wanted.join(' or ');
  const got = body === undefined ? '' : `: ${JSON.stringify(body).slice(0, longestBody)}`;
  return [`expected a status ${words}, got ${status}${got}`];
}

const headerFaults = ({ headers }: Answered, expected: Expected): string[] =>
  Object.entries(expected.headers ?? {}).flatMap(([name, wanted]) => {
    const actual = headers[name.toLowerCase()];
    if (isWanted(wanted, actual)) return [];
    if (isSecret(name)) return [`header ${name} is not as expected (its value is not shown)`];
    return [`header ${name} is ${shownValue(actual)}, expected ${wantedOf(wanted).text}`];
  });

function bodyFaults({ body }: Answered, expected: Expected): string[] {
  if (expected.body === undefined) return [];
  if (isNamedValues(expected.body)) return differences(expected.body, body, 'body').map(differenceWords);
  return isWanted(expected.body, body) ? [] : [`body is ${shownValue(body)}, expected ${wantedOf(expected.body).text}`];
}
