/** Checks of what the service holds, and of what it answers. */
import type { Tenant } from '../core/tenant.ts';
import { showContact } from '../resources/contacts/looks.ts';
import type { Expectation } from '../scenario/expectation-schema.ts';
import type { ExpectedState } from '../scenario/expected-state-schema.ts';
import type { Found } from './call-checks.ts';
import { isStatus } from './calls.ts';
import { contactsWith, holdingDifferences } from './holdings.ts';
import { ask } from './service.ts';
import { differences, differenceWords, isNamedValues, isWanted } from './values.ts';
import type { Difference } from './values.ts';

export function checkState(tenant: Tenant, state: ExpectedState): Found {
  const counts = countDifferences(tenant, state.count ?? {});
  if (state.contact === undefined) return foundOf(counts);
  const found = contactsWith(tenant, state.contact, state.contactType);
  const [contact] = found;
  if (found.length > 1) {
    const types = found.map(({ contactType }) => contactType).join(' and ');
    const reason = `contacts of the types ${types} have the key ${state.contact}; name the contactType`;
    return { verdict: 'INCONCLUSIVE', reason, calls: [] };
  }
  if (contact === undefined && state.exists !== false) return failed(`there is no contact ${state.contact}`);
  if (contact === undefined) return foundOf(counts);
  if (state.exists === false) return failed(`contact ${state.contact} is there: ${contact.id}`);
  return foundOf([
    ...holdingDifferences(tenant, contact, state),
    ...differences(state.fields ?? {}, showContact(tenant, contact)),
    ...counts,
  ]);
}

const failed = (reason: string): Found => ({ verdict: 'FAIL', reason, calls: [] });

function foundOf(different: readonly Difference[]): Found {
  if (different.length > 0) return failed(different.map(differenceWords).join('; '));
  return { verdict: 'PASS', reason: 'as expected', calls: [] };
}

const countDifferences = ({ state }: Tenant, count: Readonly<Record<string, unknown>>): Difference[] =>
  Object.entries(count).flatMap(([name, wanted]) => {
    const actual = state.tables[name]?.rows.size ?? 0;
    return wanted === undefined || isWanted(wanted, actual) ? [] : [{ place: `number of ${name}`, actual, wanted }];
  });

/** What GET on a path is answered with, without a trace in the journal. */
export function checkAnswer(tenant: Tenant, { get = '', status = 200, body }: Expectation): Found {
  const answered = ask(tenant, get);
  const statuses = [status].flat();
  if (!statuses.some((one) => isStatus(one, answered.status))) {
    const told = (answered.body as { readonly message?: unknown } | undefined)?.message;
    const why = typeof told === 'string' ? ` (${told})` : '';
    return failed(`status is ${answered.status}${why}, expected ${statuses.join(' or ')}`);
  }
  if (isNamedValues(body)) return foundOf(differences(body, answered.body, 'body'));
  if (body === undefined || isWanted(body, answered.body)) return foundOf([]);
  return foundOf([{ place: 'body', actual: answered.body, wanted: body }]);
}
