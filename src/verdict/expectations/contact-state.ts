/** What the service holds of a contact, one count or amount for each thing that can be expected. */
import type { Tenant } from '../../core/tenant/tenant.ts';
import { listAssignedChallenges as challengesOf } from '../../service/challenges/lookup.ts';
import { matchKeyTypes } from '../../service/contacts/match-keys.ts';
import { findByKey, findContact } from '../../service/contacts/lookup.ts';
import type { ContactRow } from '../../service/contacts/schema.ts';
import { orders } from '../../service/orders/schema.ts';
import { balanceOf, pendingPointsOf } from '../../service/points/ledger/balance.ts';
import { ownerKey, pointAccounts, pointTransactions } from '../../service/points/tables.ts';
import { pointDefinitions } from '../../service/points/definitions.ts';
import { listAssignedPromotions as promotionsOf } from '../../service/promotions/assignments.ts';
import { receipts } from '../../service/receipts/tables.ts';
import { contactTypes } from '../../service/retailer/schema.ts';
import { rewardVouchers } from '../../service/vouchers/schema.ts';
import type { ExpectedState } from '../../scenario/expectations/expected-state-schema.ts';
import { isFieldMap, matchesValue } from '../../matching/value-differences.ts';
import type { ValueDifference } from '../../matching/value-differences.ts';

/** The contacts of any type, or of one, with this id or key. */
export function findContactsByIdOrKey(tenant: Tenant, key: string, contactType?: string): ContactRow[] {
  const isMeant = ({ contactType: type }: ContactRow): boolean =>
    contactType === undefined || type.toLowerCase() === contactType.toLowerCase();
  const byId = findContact(tenant, key);
  const byKey = [...tenant.all(contactTypes)].flatMap(({ id }) =>
    matchKeyTypes.flatMap((type) => findByKey(tenant, id, type, key) ?? []),
  );
  return [...new Set(byId ? [byId] : byKey)].filter(isMeant);
}

/** Where what a contact has isn't what is wanted. */
type StateReader = (tenant: Tenant, contact: ContactRow, wanted: unknown) => readonly ValueDifference[];

const compared = (place: string, actual: unknown, wanted: unknown): readonly ValueDifference[] =>
  matchesValue(wanted, actual) ? [] : [{ place, actual, wanted }];

const counted =
  (place: string, count: (tenant: Tenant, contactId: string) => number): StateReader =>
  (tenant, { id }, wanted) =>
    compared(place, count(tenant, id), wanted);

/** A bare value is about the first point definition. */
const ofPoints =
  (what: string, amount: (tenant: Tenant, accountId: string) => number): StateReader =>
  (tenant, contact, wanted) => {
    const ids = [...tenant.all(pointDefinitions)].map(({ id }) => String(id));
    const [first = '1'] = ids.toSorted((a, b) => Number(a) - Number(b));
    return Object.entries(isFieldMap(wanted) ? wanted : { [first]: wanted }).flatMap(([definition, one]) => {
      const place = `${what} of point definition ${definition}`;
      if (!ids.includes(definition)) return [{ place, actual: undefined, wanted: one }];
      const account = tenant.find(pointAccounts, 'owner', ownerKey(contact.id, Number(definition)));
      return compared(place, account ? amount(tenant, account.id) : 0, one);
    });
  };

const redeemed: StateReader = (tenant, { id }, wanted) => {
  const used = promotionsOf(tenant, id).filter(({ assignment }) => assignment.redeemedOn !== null);
  if (!Array.isArray(wanted)) return compared('number of redeemed promotions', used.length, wanted);
  const names = new Set<unknown>(
    used.flatMap(({ assignment, promotion }) => [assignment.id, promotion.id, promotion.externalId]),
  );
  return wanted
    .filter((name) => !names.has(name))
    .map((name) => ({ place: `redemption of promotion ${String(name)}`, actual: undefined, wanted: { exists: true } }));
};

const checkpoints: StateReader = (tenant, { id }, wanted) => {
  const held = challengesOf(tenant, id);
  const sum = (definition?: string): number =>
    held
      .filter(({ challenge }) => definition === undefined || challenge.definitionId === definition.toLowerCase())
      .reduce((total, { challenge }) => total + challenge.completedCheckpoints, 0);
  if (!isFieldMap(wanted)) return compared('number of checkpoints', sum(), wanted);
  return Object.entries(wanted).flatMap(([definition, one]) =>
    compared(`number of checkpoints of ${definition}`, sum(definition), one),
  );
};

const consents: StateReader = (_, contact, wanted) =>
  Object.entries(isFieldMap(wanted) ? wanted : {}).flatMap(([id, one]) =>
    compared(`consent ${id}`, contact.consents.find((consent) => consent.id === id)?.value, one),
  );

const countTransactions = (tenant: Tenant, accountId: string): number =>
  tenant.list(pointTransactions, 'transactionDate', accountId).size;

const stateReaders = {
  balance: ofPoints('balance', (tenant, account) => balanceOf(tenant, account, tenant.now())),
  pendingPoints: ofPoints('pending points', (tenant, account) => pendingPointsOf(tenant, account, tenant.now())),
  transactions: ofPoints('number of transactions', countTransactions),
  receipts: counted('number of receipts', (tenant, id) => tenant.list(receipts, 'byContact', id).size),
  orders: counted('number of orders', (tenant, id) => tenant.list(orders, 'byContact', id).size),
  promotions: counted('number of promotions', (tenant, id) => promotionsOf(tenant, id).length),
  redeemed,
  vouchers: counted('number of vouchers', (tenant, id) => tenant.list(rewardVouchers, 'byContact', id).size),
  checkpoints,
  consents,
} satisfies Readonly<Partial<Record<keyof ExpectedState, StateReader>>>;

/** Where what a contact has isn't what is expected. */
export const contactStateDifferences = (
  tenant: Tenant,
  contact: ContactRow,
  expected: ExpectedState,
): ValueDifference[] =>
  Object.entries(stateReaders).flatMap(([name, look]) => {
    // Of the table's own names.
    const wanted = expected[name as keyof typeof stateReaders];
    return wanted === undefined ? [] : look(tenant, contact, wanted);
  });
