import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { flatMapInSteps, mapInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { isIndeterminate } from '../history/attempt.ts';
import type { History } from '../history/history.ts';
import { consecutivePairs, hasOwnKey } from '../history/operation.ts';
import type { AttemptPair } from '../history/operation.ts';
import { readAfter } from '../history/read-back.ts';
import { sentContentOf } from '../history/subjects.ts';
import { describeOtherForm, describeOutcome, fail, indexPerOperation, note, requestLine } from './retry-rule.ts';
import type { RetryRule, RuleFinding } from './retry-rule.ts';

export const looksFirst: RetryRule = {
  id: 'R11',
  title: 'a non-idempotent write without a key is read back before it is repeated',
  basis: {
    source: 'guidance',
    text: 'Without a response the client cannot know whether the write took effect. Without a key only a read-back shows it.',
  },
  advice: 'If a response is lost, send a GET to see whether the write took effect; repeat it only if it did not.',
  certainty: 'response',
  judge: indexPerOperation(function* (operation, { history }): Steps<readonly RuleFinding[]> {
    const { endpoint, clientAttempts: own, repeatedAs = [] } = operation;
    if (endpoint?.retry !== 'unkeyed' || hasOwnKey(operation)) return [];
    const [last, other] = [own.at(-1), repeatedAs[0]];
    const pairs = [...consecutivePairs(own), ...(last && other ? [[last, other] as const] : [])];
    const blind = yield* flatMapInSteps(pairs, (pair) => {
      const [before, next] = pair;
      return isIndeterminate(before) && readAfter(before, { history, endpoint, next }) === undefined ? [pair] : [];
    });
    if (!endpoint.readBack) return blind.slice(0, 1).map(unknowable);
    return yield* mapInSteps(blind, ([before, next]) => {
      const form = next === other ? ` ${describeOtherForm(repeatedAs)}` : '';
      const [sender, repeater, doubt] = namesOf([before, next], history);
      const message = `${requestLine(before)}${sender} ${describeOutcome(before)} and was repeated${form}${repeater} without a read-back${doubt}`;
      return judgeBlindRepeat(message, [before, next], endpoint);
    });
  }),
};

/** Names the clients of an attempt and of its repeat if they declare to be two, and says what else that may mean. */
function namesOf([{ exchange: before }, { exchange: next }]: AttemptPair, { callers }: History): readonly string[] {
  const [sender, repeater] = [callers.declaredBy(before), callers.declaredBy(next)];
  if (sender === undefined || repeater === undefined || sender === repeater) return ['', '', ''];
  const doubt = ` by either; if that was work of its own, ${sender} has lost its write`;
  return [` by ${sender}`, ` by ${repeater}`, doubt];
}

function judgeBlindRepeat(message: string, [before, next]: AttemptPair, endpoint: Endpoint): RuleFinding {
  // If it took effect twice all the same, R10 says so.
  if (endpoint.refusesRepeat?.(sentContentOf(next.exchange, endpoint)))
    return note(`${message}; ${describeHarmless(endpoint)}`, before, next);
  const found = fail(message, before, next);
  return endpoint.idempotencyKey?.startsWith('header.')
    ? { ...found, advice: `${looksFirst.advice} Or send an Idempotency-Key.` }
    : found;
}

/** Says why to create a contact with a key again does no harm. */
const describeHarmless = ({ sets }: Endpoint): string =>
  sets ? 'it changes the contact that has the key' : 'the service refuses a second contact with the same key';

/** Orders: only the lost response had the id of the job, and no other endpoint shows orders. */
const unknowable = ([before, next]: AttemptPair): RuleFinding =>
  note(
    `${requestLine(next)} ${describeOutcome(before)} and was repeated; no endpoint shows whether it had taken effect, ` +
      'so it is unknown whether the live service would do it twice',
    before,
    next,
  );
