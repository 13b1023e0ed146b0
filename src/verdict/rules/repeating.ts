/** Whether a client repeats what it should, and nothing else. */
import { contentOf, ownKeyOf } from '../../core/operation-key.ts';
import { isSecret } from '../../core/secrets.ts';
import { isBeside, isGivenUpByCaller, isToRepeat, mustBeRepeated } from '../attempt.ts';
import type { Attempt } from '../attempt.ts';
import { differingFields } from '../content.ts';
import { isRead, pairsIn } from '../operation.ts';
import type { Operation, Pair } from '../operation.ts';
import { isFoundDone, lookAfter } from '../settled.ts';
import { callOf, endOf, fail, inconclusive, remark } from './rule.ts';
import type { Evidence, Found, RetryRule } from './rule.ts';
import { isGivenUp, unlessWaiting } from './fallback.ts';

const guidance = 'When there is no response, or status 500 or 504, the caller retries.';

export const retriesAfterFailure: RetryRule = {
  id: 'R1',
  title: 'retried after no answer, 500 and 504',
  sentence: `General rule 2: ${guidance}`,
  advice:
    'Repeat the call, with the same key and content, after a pause (what adds without a key: look first, see R11); and keep it for later when that fails too.',
  check(operation, evidence) {
    const { own, attempts, endpoint } = operation;
    const last = own.at(-1);
    if (!last) return [];
    if (last.told === 'open') return [inconclusive(`${callOf(last)} is still under way`, last)];
    if (!isToRepeat(last) || isFoundDone(attempts, { ...evidence, endpoint, until: Infinity })) return [];
    if (own.length === 1) return [neverRepeated(operation, last, evidence)];
    if (isRead(operation)) return [remark(`${callOf(last)} was given up after ${own.length} attempts`, last)];
    if (evidence.isBackAfter(last)) return [];
    return [
      inconclusive(
        `${callOf(last)} was given up after ${own.length} attempts, and the service did not come back before the end: ` +
          'whether it is delivered later can’t be told',
        last,
      ),
    ];
  },
};

function neverRepeated(operation: Operation, only: Attempt, evidence: Evidence): Found {
  const message = `${callOf(only)} ${endOf(only)} and was never repeated`;
  if (!mustBeRepeated(only)) return remark(message, only);
  if (evidence.evicted > 0) return inconclusive(`${message}; but the journal has dropped what came before it`, only);
  if (isGivenUpByCaller(only) && !only.exchange.fault) {
    return inconclusive(`${message}, though nothing kept the service from answering`, only);
  }
  // Nobody keeps what it reads for later.
  return isRead(operation) ? fail(message, only) : unlessWaiting(fail(message, only), evidence);
}

export const leavesWellAlone: RetryRule = {
  id: 'R2',
  title: 'not retried after success, nor after another 4xx',
  sentence: `General rule 2: ${guidance} Nothing else is repeated.`,
  advice: 'Take a 2xx as done, and any 4xx but 429 as the final word: only no answer, 500 and 504 ask for a retry.',
  check(operation, evidence) {
    const { own } = operation;
    const at = own.findIndex(({ told }) => told === 'success' || told === 'refused');
    const before = own[at];
    if (!before || (isRead(operation) && before.told === 'success')) return [];
    const repeats = own.slice(at + 1).filter((next) => !isBeside(before, next));
    const pairs = repeats.slice(0, 1).map((next) => [before, next] as const);
    const surest = isRead(operation) ? pairsByConnection([before, ...repeats]) : [];
    return [...surest, ...pairs].slice(0, 1).map((pair) => judgeRepeat(operation, pair, evidence));
  },
};

const isByOneConnection = ({ exchange: a }: Attempt, { exchange: b }: Attempt): boolean =>
  a.connection?.id === b.connection?.id;

/** Attempts, each with the first before it that came by the same connection: these are sure to be of one program. */
const pairsByConnection = (attempts: readonly Attempt[]): Pair[] =>
  attempts.flatMap((next, i) => {
    const before = attempts.slice(0, i).find((one) => isByOneConnection(one, next));
    return before ? [[before, next] as const] : [];
  });

function judgeRepeat(operation: Operation, [before, next]: Pair, evidence: Evidence): Found {
  const said = `${callOf(next)} was sent again although it ${endOf(before)} before`;
  const excuse = before.told === 'refused' ? refusedExcuse : doneExcuse;
  const excused = excuse(operation, [before, next], evidence);
  return excused === undefined ? fail(said, before, next) : remark(`${said}; ${excused}`, before, next);
}

/** Answers that are about the caller's key. */
const keyStatuses: ReadonlySet<number | undefined> = new Set([401, 403]);

function refusedExcuse(operation: Operation, [before, next]: Pair, { history }: Evidence): string | undefined {
  const isOtherKey = before.exchange.keyDigest !== next.exchange.keyDigest;
  if (isOtherKey && keyStatuses.has(before.exchange.status)) return 'with another key';
  if (history.isChangedBetween(before.start, next.start)) return 'something else had changed in between';
  if (!isRead(operation)) return undefined;
  if (!isByOneConnection(before, next)) return 'perhaps by another program, as it came by another connection';
  const isThere = operation.own.at(-1)?.told === 'success';
  const isAwaited = history.showsQueuedWork(operation.endpoint?.id, before.start);
  return isThere || isAwaited ? 'it waited for it to appear' : undefined;
}

function doneExcuse(operation: Operation, [before]: Pair, { policy }: Evidence): string | undefined {
  // What was delivered late, and then again, is judged by R9.
  if (isGivenUp(operation, before, policy)) return 'it had been given up before';
  return operation.endpoint?.retry === 'idempotent' ? 'that changes nothing' : undefined;
}

export const correctsFirst: RetryRule = {
  id: 'R3',
  title: 'not repeated unchanged after a validation error',
  sentence: 'Errors rule 3: A validation error means the sent data was wrong. Fix the data before retrying.',
  advice: 'Stop at a 400: show or log its validationErrors, correct the data, and only then send it again.',
  check: ({ own }) =>
    pairsIn(own)
      .filter(([before, next]) => before.told === 'invalid' && isUnchanged(before, next))
      .map(([before, next]) => fail(`${callOf(next)} ${endOf(before)} and was sent again unchanged`, before, next)),
};

type Headers = Attempt['exchange']['request']['headers'];

/** What a 400 may be about beside the body. */
const isMeaningful = (name: string): boolean =>
  name === 'content-type' || name === 'content-encoding' || name === 'user-agent' || isSecret(name);

const areSame = (a: Headers, b: Headers): boolean =>
  Object.keys({ ...a, ...b }).every((name) => !isMeaningful(name) || a[name] === b[name]);

const isUnchanged = ({ exchange: a }: Attempt, { exchange: b }: Attempt): boolean =>
  `${a.path}?${a.query}` === `${b.path}?${b.query}` &&
  contentOf(a.request.body) === contentOf(b.request.body) &&
  areSame(a.request.headers, b.request.headers);

export const keepsContent: RetryRule = {
  id: 'R4',
  title: 'every attempt carries the same content',
  sentence: 'Retrying safely: an idempotent or keyed call may be repeated freely if the body is the same.',
  advice: 'Build the body once, keep it with the operation, and send that same text again.',
  check: (operation, evidence) =>
    pairsIn(operation.own)
      .filter(([before]) => isToRepeat(before))
      .flatMap(([before, next]) => judgeContent(operation, [before, next], evidence)),
};

function judgeContent({ endpoint, key }: Operation, [before, next]: Pair, { policy, history }: Evidence): Found[] {
  const fields = differingFields(before.exchange, next.exchange, { endpoint, volatile: policy.volatile });
  if (fields.length === 0) return [];
  const message = `${callOf(next)} was repeated with another ${shortList(fields)}`;
  const hasLooked = key.by === 'content' && lookAfter(before, { history, endpoint, until: next.start }) !== undefined;
  // Who has seen that it isn't there may as well make it anew.
  if (hasLooked) return [remark(`${message}, after looking whether it was there`, before, next)];
  return [fail(message, before, next)];
}

const shortList = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

export const keepsKey: RetryRule = {
  id: 'R5',
  title: 'every attempt carries the same key',
  sentence: 'A keyed call (transactionId, uniqueReceiptId) may be repeated freely with the same key.',
  advice: 'Draw the key once, when the operation begins, and store it with the operation; never inside the retry loop.',
  check({ endpoint, own }) {
    const { ownKey } = endpoint ?? {};
    if (!ownKey || ownKey === 'path') return [];
    const renamed = pairsIn(own).filter(
      ([before, next]) => isToRepeat(before) && ownKeyOf(before.exchange, ownKey) !== ownKeyOf(next.exchange, ownKey),
    );
    const [first] = renamed;
    if (!first) return [];
    const keys = [...new Set(own.map(({ exchange }) => ownKeyOf(exchange, ownKey) ?? 'none'))];
    const field = ownKey.slice(ownKey.indexOf('.') + 1);
    const concerned = [...new Set(renamed.flat())];
    return [fail(`${callOf(first[0])} was repeated with another ${field} each time: ${shortList(keys)}`, ...concerned)];
  },
};
