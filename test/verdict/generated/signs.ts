/** Tells by the requests of a whole run whether a planted defect had an effect. */
import type { Exchange } from '../../../src/core/exchange/exchange.ts';
import { hasSuccessStatus, requiresRetry, toAttempt } from '../../../src/verdict/history/attempt.ts';
import type { Sent } from './transport.ts';

export type Sign = (requests: readonly Exchange[]) => boolean;

const isOf =
  ({ method, path, body }: Sent) =>
  (one: Exchange): boolean =>
    one.method === method &&
    (one.query === '' ? one.path : `${one.path}?${one.query}`) === path &&
    one.request.body === (body === undefined ? undefined : JSON.stringify(body));

const succeeded = (one: Exchange): boolean => toAttempt(one).outcome === 'success';

/** The last attempt had failed, and nobody has repeated it since. */
export const isLeftFailed =
  (sent: Sent): Sign =>
  (requests) => {
    const last = requests.findLast(isOf(sent));
    return last !== undefined && requiresRetry(toAttempt(last)) && !hasSuccessStatus(toAttempt(last));
  };

/** A write was left failed although the service worked again, and nothing newer has replaced it. */
export const isMissing =
  (sent: Sent): Sign =>
  (requests) => {
    const last = requests.findLast(isOf(sent));
    if (!last || hasTakenEffect(sent)(requests)) return false;
    const later = requests.filter(({ number }) => number > last.number);
    const isReplaced = later.some((one) => one.method === last.method && one.path === last.path && isSettable(one));
    return !isReplaced && later.some((one) => one.endpoint === last.endpoint && !one.fault);
  };

/** What is set at a path, the next write sets again. */
const isSettable = ({ endpoint = '' }: Exchange): boolean => ['updateContact', 'setConsents'].includes(endpoint);

/** Two writes to one endpoint were done in another order than they had begun. */
export const isOutOfOrder =
  (all: readonly Sent[]): Sign =>
  (requests) => {
    const spans = all.flatMap((sent) => {
      const own = requests.filter(isOf(sent));
      const [first, done] = [own[0], own.find(succeeded)];
      return first && done ? [{ first: first.number, done: done.number }] : [];
    });
    return spans.some((a) => spans.some((b) => a.first < b.first && a.done > b.done));
  };

/** A request that was sent at least once has created a contact. */
export const hasCreatedContact =
  (sent: Sent): Sign =>
  (requests) =>
    requests.some(
      (one) => isOf(sent)(one) && one.sideEffects.changes.some(({ table, before }) => table === 'contacts' && !before),
    );

/** A request has changed something. */
export const hasTakenEffect =
  (sent: Sent): Sign =>
  (requests) =>
    requests.some((one) => isOf(sent)(one) && one.sideEffects.changes.length > 0);
