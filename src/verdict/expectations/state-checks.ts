/** Checks the state of the service, and its responses to GET. */
import type { Tenant } from '../../core/tenant/tenant.ts';
import { serializeContact } from '../../service/contacts/serialize.ts';
import type { Expectation } from '../../scenario/expectations/expectation-schema.ts';
import type { ExpectedState } from '../../scenario/expectations/expected-state-schema.ts';
import type { CheckResult } from './request-checks.ts';
import { matchesStatus } from '../../matching/status-matcher.ts';
import { findContactsByIdOrKey, contactStateDifferences } from './contact-state.ts';
import { ApiError } from '../../core/exchange/api-error.ts';
import { fieldErrors } from '../../core/validation/unknown-fields.ts';
import { validationError, apiError } from '../../service/errors/catalog.ts';
import { findEndpoint } from '../../service/endpoint-lookup.ts';
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

/** Checks the response to a GET that leaves no trace in the journal. */
export function checkGetResponse(tenant: Tenant, { get = '', status = 200, body }: Expectation): CheckResult {
  const response = dryRunGet(tenant, get);
  const statuses = [status].flat();
  if (!statuses.some((one) => matchesStatus(one, response.status))) {
    const { message } = (response.body ?? {}) as { readonly message?: unknown };
    const why = typeof message === 'string' ? ` (${message})` : '';
    return failed(`status is ${response.status}${why}, expected ${statuses.join(' or ')}`);
  }
  if (isFieldMap(body)) return foundOf(fieldDifferences(body, response.body, 'body'));
  if (body === undefined || matchesValue(body, response.body)) return foundOf([]);
  return foundOf([{ place: 'body', actual: response.body, wanted: body }]);
}

interface DryRunResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Returns the response to a GET without a trace: it is not journalled, changes nothing, and no fault hits it. */
function dryRunGet(tenant: Tenant, target: string): DryRunResponse {
  try {
    return handleGet(tenant, target);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message, details, validationErrors } = error;
    return { status, body: { errorCode: code, message, ...details, ...(validationErrors && { validationErrors }) } };
  }
}

function handleGet(tenant: Tenant, target: string): DryRunResponse {
  const [path = '', search = ''] = target.split('?');
  const served = findEndpoint('GET', path);
  if (!served) throw apiError('EndpointNotFound', { message: `GET ${path} is not served here.` });
  const { endpoint, params } = served;
  // A blank parameter counts as absent.
  const sent = Object.fromEntries([...new URLSearchParams(search)].filter(([, value]) => value !== ''));
  const parsed = endpoint.query?.safeParse(sent);
  if (parsed?.error) throw validationError(fieldErrors(parsed.error));
  const input = { params, query: parsed?.data, body: undefined, headers: {}, self: { path, query: sent } };
  // Parsed by the endpoint's own schemas.
  return tenant.dryRun(() => endpoint.handle(tenant, input as never));
}
