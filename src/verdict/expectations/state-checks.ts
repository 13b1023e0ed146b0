/** Checks of what the service holds, and of what it answers. */
import type { Tenant } from '../../core/tenant/tenant.ts';
import { serializeContact } from '../../service/contacts/serialize.ts';
import type { Expectation } from '../../scenario/expectations/expectation-schema.ts';
import type { ExpectedState } from '../../scenario/expectations/expected-state-schema.ts';
import type { CheckResult } from './request-checks.ts';
import { matchesStatus } from './matched-requests.ts';
import { findContactsByIdOrKey, contactStateDifferences } from './contact-state.ts';
import { dryRunGet } from './dry-run-get.ts';
import { fieldDifferences, describeDifference, isFieldMap, matchesValue } from '../../matching/value-differences.ts';
import type { ValueDifference } from '../../matching/value-differences.ts';

export function checkState(tenant: Tenant, state: ExpectedState): CheckResult {
  const counts = countDifferences(tenant, state.count ?? {});
  if (state.contact === undefined) return foundOf(counts);
  const found = findContactsByIdOrKey(tenant, state.contact, state.contactType);
  const [contact] = found;
  if (found.length > 1) {
    const types = found.map(({ contactType }) => contactType).join(' and ');
    const reason = `contacts of the types ${types} have the key ${state.contact}; name the contactType`;
    return { verdict: 'INCONCLUSIVE', reason, requests: [] };
  }
  if (contact === undefined && state.exists !== false) return failed(`there is no contact ${state.contact}`);
  if (contact === undefined) return foundOf(counts);
  if (state.exists === false) return failed(`contact ${state.contact} is there: ${contact.id}`);
  return foundOf([
    ...contactStateDifferences(tenant, contact, state),
    ...fieldDifferences(state.fields ?? {}, serializeContact(tenant, contact)),
    ...counts,
  ]);
}

const failed = (reason: string): CheckResult => ({ verdict: 'FAIL', reason, requests: [] });

function foundOf(different: readonly ValueDifference[]): CheckResult {
  if (different.length > 0) return failed(different.map(describeDifference).join('; '));
  return { verdict: 'PASS', reason: 'as expected', requests: [] };
}

const countDifferences = ({ state }: Tenant, count: Readonly<Record<string, unknown>>): ValueDifference[] =>
  Object.entries(count).flatMap(([name, wanted]) => {
    const actual = state.tables[name]?.rows.size ?? 0;
    return wanted === undefined || matchesValue(wanted, actual) ? [] : [{ place: `number of ${name}`, actual, wanted }];
  });

/** What GET on a path is answered with, without a trace in the journal. */
export function checkGetResponse(tenant: Tenant, { get = '', status = 200, body }: Expectation): CheckResult {
  const answered = dryRunGet(tenant, get);
  const statuses = [status].flat();
  if (!statuses.some((one) => matchesStatus(one, answered.status))) {
    const { message } = (answered.body ?? {}) as { readonly message?: unknown };
    const why = typeof message === 'string' ? ` (${message})` : '';
    return failed(`status is ${answered.status}${why}, expected ${statuses.join(' or ')}`);
  }
  if (isFieldMap(body)) return foundOf(fieldDifferences(body, answered.body, 'body'));
  if (body === undefined || matchesValue(body, answered.body)) return foundOf([]);
  return foundOf([{ place: 'body', actual: answered.body, wanted: body }]);
}
