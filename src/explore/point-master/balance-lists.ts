/** Finds in the journal the lists of balances that a point master has sent, and what became of them. */
import * as z from '../../core/validation/deferred-zod.ts';
import { rowsOfSent } from '../../core/exchange/subject.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { escapeControls, escapeLineBreaks } from '../../core/lib/escape-controls.ts';
import { normalizeGuid } from '../../core/lib/random.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { listBalanceSyncs } from '../../service/points/balance-sync.ts';

export const balancesEndpoint = 'setPointBalances';

/** Returns the list that a rule has hit; undefined while it has hit none. */
export const findListHitBy = ({ journal }: Tenant, rule: string): Exchange | undefined =>
  journal.toArray().find(({ fault }) => fault?.rule === rule);

/** True when later lists have set all accounts of this one: the same list again, or newer ones. */
export function isSetLater({ journal }: Tenant, list: Exchange): boolean {
  const later = journal.toArray().filter((exchange) => exchange.number > list.number && isAcceptedList(exchange));
  const set = new Set(later.flatMap(accountsOf));
  return accountsOf(list).every((account) => set.has(account));
}

/** Describes a request that the service has refused, or a balance that it could not set. */
export interface Refusal {
  readonly reason: string;
  /** True when the point master may be right: it lacks the key, or sends too much at once. */
  readonly isOpen: boolean;
}

/** Returns why no balance of a contact was set although it was sent; undefined when none was sent. */
export function findRefusal(tenant: Tenant, contactId: string): Refusal | undefined {
  const refused = tenant.journal.toArray().findLast((exchange) => isRefused(exchange, contactId));
  if (refused) return { reason: describeRefusal(refused), isOpen: openStatuses.includes(refused.status ?? 0) };
  const item = listBalanceSyncs(tenant)
    .flatMap(({ items }) => items)
    .findLast((sent) => sent.contactId === contactId && sent.outcome === 'rejected');
  return item && { reason: `the balance of ${item.amount} was not set: ${item.message}`, isOpen: false };
}

/** Matches refusals that say nothing of the list: the key is wrong, or too many came. */
const openStatuses: readonly number[] = [401, 403, 429];

/** Recognizes a refused list by its contact; the body of one without a key was not read. */
const isRefused = ({ fault, status = 0, path, request: { body } }: Exchange, contactId: string): boolean =>
  fault === undefined &&
  status >= 400 &&
  status < 500 &&
  (body?.toLowerCase().includes(contactId) ?? path.endsWith('/point-accounts/balances'));

function describeRefusal({ method, path, status, response }: Exchange): string {
  const error = refusalSchema.safeParse(jsonOf(response?.body ?? '')).data;
  const errors = error?.validationErrors?.map(({ field, errorDescription }) => `${field} ${errorDescription}`.trim());
  const mistakes = errors?.slice(0, maxErrors).join(', ') ?? error?.message ?? '';
  const line = `the request ${method} ${path} with the balances got status ${status}${mistakes && ` (${mistakes})`}`;
  return escapeLineBreaks(escapeControls(line));
}

const maxErrors = 3;

const refusalSchema = z.object({
  message: z.string(),
  validationErrors: z.array(z.object({ field: z.string(), errorDescription: z.string() })).optional(),
});

const isAcceptedList = ({ endpoint, status = 0 }: Exchange): boolean =>
  endpoint === balancesEndpoint && status >= 200 && status < 300;

const accountsOf = ({ request: { body = '' } }: Exchange): string[] =>
  rowsOfSent(jsonOf(body)).map(
    ({ contactId, definitionId }) => `${normalizeGuid(String(contactId)) ?? contactId}/${definitionId}`,
  );

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
