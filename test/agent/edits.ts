/**
 * What a programmer may change in the till (test/clients/till.mjs), each as one sentence in their own words. A planted defect is
 * one of the places set to something else; an edit that helps sets it back. Some edits make it worse.
 */
import { mutants } from '../clients/mutants.mjs';

export interface Edit {
  /** Says what the till does after it. */
  readonly does: string;
  readonly apply: (source: string) => string;
}

/** Pairs what the till has in a place with all that a defect puts there, the longest first. */
const defectsIn: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>();
  for (const { change } of mutants) {
    for (let i = 0; i + 1 < change.length; i += 2) {
      const [right = '', wrong = ''] = [change[i], change[i + 1]];
      found.set(right, [...(found.get(right) ?? []), wrong]);
    }
  }
  for (const variants of found.values()) variants.sort((a, b) => b.length - a.length);
  return found;
})();

/** The places of the till, by a part of what stands there. */
const placesWith = (...parts: readonly string[]): string[] =>
  parts.flatMap((part) => {
    const found = [...defectsIn.keys()].filter((right) => right.includes(part));
    if (found.length === 0) throw new Error(`no place of the till has "${part}"`);
    return found;
  });

/** Sets places to what is right. */
const setRight =
  (places: readonly string[]) =>
  (source: string): string =>
    places.reduce((text, right) => {
      const wrong = (defectsIn.get(right) ?? []).find((variant) => variant !== '' && text.includes(variant));
      return wrong === undefined ? text : text.replace(wrong, () => right);
    }, source);

const right = (does: string, ...parts: readonly string[]): Edit => ({ does, apply: setRight(placesWith(...parts)) });

const wrong = (does: string, from: RegExp | string, to: string): Edit => ({
  does,
  apply: (source) => source.replace(from, () => to),
});

/** Returns what a defect replaces, and by what. */
function defectOf(name: string): [from: string, to: string] {
  const [from, to] = mutants.find((mutant) => mutant.name === name)?.change ?? [];
  if (from === undefined || to === undefined) throw new Error(`there is no defect "${name}"`);
  return [from, to];
}

/** Stores what could not be delivered; without it there is nothing to find its place by. */
const storing: Edit = {
  does: 'Put a request that was not delivered into the queue on the disk, and deliver it later.',
  apply: (source) =>
    source.includes('...operation, isUnknown: true')
      ? source
      : source.replace(
          'if (!(error instanceof GaveUp)) throw error;\n      return undefined;',
          'if (!(error instanceof GaveUp)) throw error;\n      this.queue.push({ ...operation, isUnknown: true });\n      return undefined;',
        ),
};

/** Lists all of them in no order of use. */
export const edits: readonly Edit[] = [
  wrong('Wait longer for a response before the time-out of an attempt.', 'timeout = 1000', 'timeout = 3000'),
  right(
    'Wait before each attempt, longer each time, and put the jitter on top.',
    'return shortest +',
    'const shortest',
  ),
  wrong(
    'Make a new key for each attempt, so that no attempt is taken for another.',
    ...defectOf('draws a new uniqueReceiptId for each attempt'),
  ),
  right(
    'Count the attempts, and give up after the last that is declared.',
    'attempt <= this.pauses.length',
    'this.pauses[attempt - 1];',
  ),
  right(
    'Retry after 500 and 504 and no response; take any other status, a 2xx or a 4xx, as final.',
    'const retryStatuses',
  ),
  wrong(
    'Repeat each request that was not answered with 200.',
    /const retryStatuses = .*/,
    'const retryStatuses = { has: (status) => status !== 200 };',
  ),
  right(
    'Make the body and its key once, when the operation begins, store them with it, and send that same text on every attempt.',
    'await fetch(',
  ),
  wrong('Never repeat a write, so that nothing is doubled.', 'attempt <= this.pauses.length;', 'attempt <= 0;'),
  right(
    'Wait for the response of an attempt, or close its connection, before the next attempt of the operation.',
    'const answer = await this.attempt',
  ),
  storing,
  right('Remove a stored request from the queue when its response arrives, and deliver it only once.', 'if (!isThere)'),
  right(
    'Deliver the oldest stored request of the queue first.',
    'return this.#operations[0]',
    'this.#operations.shift()',
  ),
  right(
    'Deliver what is stored in the queue under the key that was stored with it.',
    'const operation = this.queue.first',
  ),
  right(
    'Send a GET to see whether a write without a key took effect before it is repeated, and repeat it only if it did not.',
    'await this.tookEffect',
  ),
  right(
    'Create a contact only after a lookup that was answered with 404.',
    'if (!found.isAnswered)',
    'const create = creation(',
  ),
  right(
    'Deliver the backlog one by one when the service is back, and let new requests wait behind it.',
    'if (!this.queue.isEmpty)',
    'async deliverRound()',
  ),
  right('Stop at a 400: log it, and do not send or store the same data again.', 'return await this.call(operation);'),
  right('Repeat the request when there is no response.', 'return undefined;\n    }\n  }\n}\n\n/** Changes'),
  right('Repeat a read that failed, after a pause, as any request.', "await this.call({ method: 'GET', path })"),
  right(
    'Treat a response whose body was cut as no response, and repeat the request.',
    'const received = await response.text()',
  ),
  right('Take a success as done, and send nothing again after it.', 'if (answer !== undefined'),
];
