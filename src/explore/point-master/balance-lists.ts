/** Finds in the journal the lists of balances that a point master has sent, and what became of them. */
import { rowsOfSent } from '../../core/exchange/subject.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { normalizeGuid } from '../../core/lib/random.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';

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
