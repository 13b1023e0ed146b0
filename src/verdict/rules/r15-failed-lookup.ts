import { forEachInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { changesOf } from '../../core/exchange/exchange.ts';
import { contacts } from '../../service/contacts/schema.ts';
import { contactSubjectName } from '../../service/contacts/subjects.ts';
import { changesBy, isRetryable, pauseBetween, toAttempt } from '../history/attempt.ts';
import type { Attempt } from '../history/attempt.ts';
import { isSameClient } from '../history/clients.ts';
import { isReadOperation } from '../history/operation.ts';
import type { Operation } from '../history/operation.ts';
import { promptPause } from '../history/read-retries.ts';
import { describeOutcome, fail, inconclusive, indexPerJournal, note, requestLine } from './retry-rule.ts';
import type { RetryEvidence, RetryRule, RuleFinding } from './retry-rule.ts';

export const knowsBeforeCreating: RetryRule = {
  id: 'R15',
  title: 'a failed lookup is not taken for an unknown contact',
  basis: {
    source: 'guidance',
    text: 'A failed lookup says nothing about the contact. Only a 404 says that nobody has the key.',
  },
  advice:
    'Repeat the lookup until it gets a 200 or a 404, and create the contact only after a 404. If it gets neither, keep the customer for later.',
  certainty: 'response',
  judge(operation, evidence) {
    const look = operation.clientAttempts.at(-1);
    if (!look || !isReadOperation(operation) || !isRetryable(look)) return [];
    const next = evidence.history.creationAfter(look, operation.endpoint);
    return next ? judgeCreation(operation, [look, toAttempt(next)], evidence) : [];
  },
};

function judgeCreation(
  { endpoint }: Operation,
  [look, creation]: readonly [Attempt, Attempt],
  evidence: RetryEvidence,
): RuleFinding[] {
  const { history, policy } = evidence;
  const message = `${requestLine(look)} ${describeOutcome(look)} and was taken for "not there"`;
  const concerned = [look, creation] as const;
  const created = changesBy(creation).find(({ table, before }) => table === contacts.name && before === undefined);
  if (!created) {
    const isRefused = creation.outcome === 'rejected' && creation.exchange.status === 409;
    return isRefused ? [note(`${message}; the service refused to create the contact again`, concerned)] : [];
  }
  const others = [...history.subjects.contactsNow(look.exchange, endpoint)].filter(
    (name) => name !== contactSubjectName(created.key) && !isNewer(name, look, evidence),
  );
  if (others.length === 0) return [note(`${message}; this time nobody else had the key`, concerned)];
  const found = `${message}: there are now two contacts with ${describeKey(look)}`;
  if (!isSameClient(look, creation, history))
    return [inconclusive(`${found}; unless another client created it: send an x-sim-client`, concerned)];
  const isLate = pauseBetween(look, creation) > Math.max(promptPause(policy), policy.storeAndForwardAfter ?? 0);
  return [
    isLate ? inconclusive(`${found}; but it was created long after the lookup`, concerned) : fail(found, concerned),
  ];
}

/** True for a contact that was created after the look: a response would not have shown it. */
const isNewer = (name: string, look: Attempt, evidence: RetryEvidence): boolean =>
  (creations(evidence).get(name) ?? -1) > look.exchange.number;

/** Returns the number of the request that created each contact, by the contact's name among subjects. */
const creations = indexPerJournal(function* ({ history }): Steps<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  yield* forEachInSteps(history.entries, ({ exchange }) => {
    for (const { table, before, key } of changesOf(exchange))
      if (table === contacts.name && before === undefined) found.set(contactSubjectName(key), exchange.number);
  });
  return found;
});

/** Names keys in a sentence. */
const keyWords: Readonly<Record<string, string>> = {
  email: 'the e-mail address',
  mobilePhone: 'the phone number',
  memberNumber: 'the member number',
  externalId: 'the external id',
};

/** Describes the key of a lookup. Personal numbers are not repeated. */
function describeKey({ exchange }: Attempt): string {
  const query = new URLSearchParams(exchange.query);
  if (query.has('socialSecurityNumber')) return 'this personal number';
  const [name = '', value = ''] = [...query].find(([key]) => key !== 'contactType') ?? [];
  return name === 'any' || name === 'customKey' ? 'this key' : `${keyWords[name] ?? 'the key'} ${value}`;
}
