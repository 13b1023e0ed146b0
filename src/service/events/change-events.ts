/** Derives events from the rows that a transaction changed, in addition to adjustments of points. */
import { toTimestamp } from '../../core/time/clock.ts';
import { enqueueWebhook } from '../../core/tenant/webhook-outbox.ts';
import type { WebhookEvent } from '../../core/tenant/webhook-outbox.ts';
import type { RowChange } from '../../core/state/state.ts';
import type { BeforeCommitHook } from '../../core/tenant/tenant.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { contacts } from '../contacts/schema.ts';
import type { ContactRow } from '../contacts/schema.ts';
import type { optionalEventTypes } from './event-types.ts';
import { balanceOf } from '../points/ledger/balance.ts';
import { ledgerViewOf, nextChangeAt } from '../points/ledger/expiry.ts';
import { definitionOfAccount } from '../points/ledger/ledger.ts';
import { serializeAccountId } from '../points/lookup.ts';
import { pointAccounts, pointTransactions } from '../points/tables.ts';
import { promotionAssignments } from '../promotions/schema.ts';
import { rewardVouchers } from '../vouchers/schema.ts';

type ChangeEventType = (typeof optionalEventTypes)[number];

/** Tells of the kinds of events that are listed; undefined when none was. */
export function createChangeEventReaction(eventTypes: readonly string[]): BeforeCommitHook | undefined {
  if (eventTypes.length === 0) return undefined;
  return function tellOfChanges(tenant, changes) {
    const rows = originalRows(changes);
    const all = [
      ...contactEvents(tenant, rows),
      ...balanceEvents(tenant, rows),
      ...voucherEvents(tenant, rows),
      ...promotionEvents(tenant, rows),
    ];
    const wanted = all.filter(({ eventType }) => eventTypes.includes(eventType));
    if (wanted.length > 0) for (const id of ['A-48', 'A-49', 'A-50', 'A-76']) tenant.assumption(id);
    for (const event of wanted) enqueueWebhook(tenant, event);
  };
}

interface ChangeEvent extends WebhookEvent {
  readonly eventType: ChangeEventType;
}

/** Returns the changed rows by table, each once with what it was at first. */
function originalRows(changes: readonly RowChange[]): ReadonlyMap<string, ReadonlyMap<string, RowChange['before']>> {
  const tables = new Map<string, Map<string, RowChange['before']>>();
  for (const { table, key, before } of changes) {
    const rows = tables.get(table) ?? new Map<string, RowChange['before']>();
    if (!rows.has(key)) rows.set(key, before);
    tables.set(table, rows);
  }
  return tables;
}

type OriginalRows = ReturnType<typeof originalRows>;

function contactEvents(tenant: TenantContext, rows: OriginalRows): ChangeEvent[] {
  return [...(rows.get(contacts.name) ?? [])].flatMap(([id, was]) => {
    const contact = tenant.get(contacts, id);
    // Rows that the table's own changes name are the table's.
    return contact ? eventsOfContact(contact, was as ContactRow | undefined) : [];
  });
}

function eventsOfContact(contact: ContactRow, was: ContactRow | undefined): ChangeEvent[] {
  const { id: contactId, contactType, createdOn, modifiedOn } = contact;
  const events: ChangeEvent[] = [
    was
      ? { eventType: 'contact.updated', payload: { contactId, contactType, modifiedOn } }
      : { eventType: 'contact.created', payload: { contactId, contactType, createdOn } },
  ];
  const answered = contact.consents.filter((consent) => !was?.consents.includes(consent));
  if (answered.length > 0) {
    events.push({ eventType: 'contact.consent.changed', payload: { contactId, consents: answered } });
  }
  for (const name of preferences) {
    const value = contact.preferences[name] ?? false;
    if (!was || value === (was.preferences[name] ?? false)) continue;
    events.push({ eventType: `contact.${name}.changed`, payload: { contactId, [name]: value } });
  }
  return events;
}

const preferences = ['acceptsEmail', 'acceptsPostal', 'acceptsSms'] as const;

function balanceEvents(tenant: TenantContext, rows: OriginalRows): ChangeEvent[] {
  const moved = [...(rows.get(pointTransactions.name)?.keys() ?? [])];
  const accountIds = new Set(moved.flatMap((key) => tenant.get(pointTransactions, key)?.accountId ?? []));
  return [...accountIds].flatMap((id) => {
    const account = tenant.get(pointAccounts, id);
    if (!account) return [];
    const { contactId, definitionId } = account;
    const next = nextChangeAt(ledgerViewOf(tenant), account, definitionOfAccount(tenant, account));
    const payload = {
      contactId,
      accountId: serializeAccountId(tenant, account),
      definitionId,
      balance: balanceOf(tenant, id, tenant.now()),
      balanceExpires: next === undefined ? null : toTimestamp(next),
      timeStamp: toTimestamp(tenant.now()),
    };
    return [{ eventType: 'point.balance.updated', payload }];
  });
}

function voucherEvents(tenant: TenantContext, rows: OriginalRows): ChangeEvent[] {
  return [...(rows.get(rewardVouchers.name) ?? [])].flatMap(([number, was]) => {
    const voucher = was === undefined ? tenant.get(rewardVouchers, number) : undefined;
    if (!voucher) return [];
    const { contactId, voucherNumber, value, currency, issuedOn, expiresOn } = voucher;
    //
    const payload =
      tenant.assumption('A-76') === 'camelCase'
        ? {
            amount: value,
            contactId,
            currency,
            id: voucherNumber,
            uniqueCode: voucherNumber,
            validFrom: issuedOn,
            validTo: expiresOn,
          }
        : {
            Amount: value,
            ContactId: contactId,
            Currency: currency,
            Id: voucherNumber,
            UniqueCode: voucherNumber,
            ValidFrom: issuedOn,
            ValidTo: expiresOn,
          };
    return [{ eventType: 'reward.voucher.created', payload }];
  });
}

function promotionEvents(tenant: TenantContext, rows: OriginalRows): ChangeEvent[] {
  return [...(rows.get(promotionAssignments.name) ?? [])].flatMap(([key, was]) => {
    const assignment = was === undefined ? tenant.get(promotionAssignments, key) : undefined;
    if (!assignment) return [];
    const { id, promotionId, contactId, assignedOn, expiresOn } = assignment;
    const payload = { contactId, promotionId, id, assignedOn, expiresOn };
    return [{ eventType: 'promotion.multichannel.assigned', payload }];
  });
}
