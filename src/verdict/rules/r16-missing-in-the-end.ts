import { appendTo } from '../../core/lib/collections.ts';
import { formatThing } from '../../service/resource/business-thing.ts';
import type { BusinessThing } from '../../service/resource/business-thing.ts';
import { changesBy } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import type { Operation } from '../history/operation.ts';
import { thingsOf } from '../state/things.ts';
import { fail, inconclusive, memoizePerJournal, requestLine, shortList } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const thereInTheEnd: RetryRule = {
  id: 'R16',
  title: 'what was to be done is there in the end',
  basis: {
    source: 'guidance',
    text: 'After the last request the service holds what it would hold if nothing had failed: each thing once, in its latest version, and on the right contact.',
  },
  advice:
    'Deliver the writes of one contact in the order in which they began; when a newer one has replaced what still waits, drop the older one.',
  certainty: 'timing',
  judge: (operation, evidence) => overwritten(operation, evidence),
};

const listOf = (things: readonly BusinessThing[]): string => shortList(things.map(formatThing));

/** Collects the writes that can overwrite each other, by path. */
const byPath = memoizePerJournal((evidence: RetryEvidence): ReadonlyMap<string, readonly Operation[]> => {
  const found = new Map<string, Operation[]>();
  for (const operation of evidence.operations) {
    const path = operation.attempts[0]?.exchange.path;
    if (path !== undefined && operation.endpoint?.retry === 'idempotent') appendTo(found, path, operation);
  }
  return found;
});

interface FieldWrite {
  readonly operation: Operation;
  readonly attempt: Attempt;
  readonly fields: ReadonlyMap<string, BusinessThing>;
}

/** Holds what was written to a path. */
interface PathWrites {
  readonly all: ReadonlyMap<Operation, FieldWrite>;
  /** The write of each field that took effect last. */
  readonly final: ReadonlyMap<string, FieldWrite>;
}

/** Finds newer values that an older write, delivered late, has overwritten for good. */
function overwritten(operation: Operation, evidence: RetryEvidence): RuleFinding[] {
  const [first] = operation.attempts;
  const last = operation.endpoint?.retry === 'idempotent' ? lastEffective(operation) : undefined;
  if (!first || !last || first === last) return [];
  const { all, final } = writesTo(first.exchange.path, evidence);
  const own = all.get(operation);
  const kept = new Map([...(own?.fields ?? [])].filter(([field]) => final.get(field) === own));
  // Of each field, one write is the last.
  if (!own || kept.size === 0) return [];
  return [...all.values()]
    .filter(
      ({
        operation: {
          attempts: [begin],
        },
      }) => begin !== undefined && begin.start > first.start,
    )
    .flatMap((newer) => judgeOverwriting({ ...own, fields: kept }, newer, evidence))
    .slice(0, 1);
}

const lastEffective = ({ attempts }: Operation): Attempt | undefined =>
  attempts.findLast((attempt) => changesBy(attempt).length > 0);

const knownWrites = memoizePerJournal(() => new Map<string, PathWrites>());

/** Returns what was written to a path, read when it is asked for first. */
function writesTo(path: string, evidence: RetryEvidence): PathWrites {
  const cache = knownWrites(evidence);
  const known = cache.get(path);
  if (known) return known;
  const all = (byPath(evidence).get(path) ?? []).flatMap((operation) => fieldWriteOf(operation, evidence));
  const final = new Map<string, FieldWrite>();
  for (const write of all.toSorted((a, b) => a.attempt.start - b.attempt.start))
    for (const field of write.fields.keys()) final.set(field, write);
  const writes = { all: new Map(all.map((write) => [write.operation, write] as const)), final };
  cache.set(path, writes);
  return writes;
}

function judgeOverwriting(own: FieldWrite, newer: FieldWrite, { history }: RetryEvidence): RuleFinding[] {
  const gone = [...newer.fields].filter(([field, { text }]) => (own.fields.get(field)?.text ?? text) !== text);
  const [left, right] = [own.attempt.exchange, newer.attempt.exchange];
  if (gone.length === 0 || history.callers.compare(left, right) === 'other') return [];
  const message = `${listOf(gone.map(([, thing]) => thing))} ${gone.length === 1 ? 'is' : 'are'} missing: ${requestLine(own.attempt)} (${left.id}) began before ${right.id}, and overwrote it`;
  const isOne = history.callers.compare(left, right) === 'same' || history.isSingleClient([left], [right]);
  if (isOne) return [fail(message, newer.attempt, own.attempt)];
  return [
    inconclusive(
      `${message}; unless another client did so: let each declare itself by x-sim-client`,
      newer.attempt,
      own.attempt,
    ),
  ];
}

function fieldWriteOf(operation: Operation, { tenant }: RetryEvidence): FieldWrite[] {
  const attempt = lastEffective(operation);
  if (!attempt) return [];
  const things = thingsOf(changesBy(attempt), tenant).flatMap((thing) =>
    thing.field === undefined ? [] : [[thing.field, thing] as const],
  );
  return [{ operation, attempt, fields: new Map(things) }];
}
