/** Sends what the retailer has set up for the status of an order. */
import { toTimestamp } from '../../core/time/clock.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import type { ContactRow } from '../contacts/schema.ts';
import { retailerOf } from '../retailer/operations.ts';
import type { Retailer } from '../retailer/schema.ts';
import { outbox } from './schema.ts';
import type { Communication, OrderBody, OrderRow } from './schema.ts';

type CommunicationRule = Retailer['orderCommunications'][number];

const addressFields = { email: 'email', sms: 'mobilePhone' } as const;

interface Occasion {
  readonly order: OrderBody;
  readonly contact: ContactRow;
  readonly jobId: string;
  /** Holds the messages that this order has sent since it got its present status. */
  readonly sentBefore: readonly Communication[];
}

/** Something that didn't go as the caller will have meant it. */
export interface OrderIssue {
  readonly code: string;
  readonly message: string;
}

interface SentCommunications {
  readonly communications: readonly string[];
  readonly issues: readonly OrderIssue[];
}

export const noCommunications: SentCommunications = { communications: [], issues: [] };

/** Puts what the order's status sets off in the outbox: each once only, until the status changes (a retry mails nobody twice). */
export function sendCommunications(tenant: TenantContext, occasion: Occasion): SentCommunications {
  const status = occasion.order.orderStatus ?? '';
  const made = retailerOf(tenant)
    .orderCommunications.filter((planned) => planned.orderStatus.toLowerCase() === status.toLowerCase())
    .filter((planned) => !wasSent(planned, occasion.sentBefore))
    .map((planned) => tenant.put(outbox, communicationOf(tenant, planned, occasion)));
  const unsent = made.filter((communication) => communication.status === 'not-sent');
  return { communications: made.map(({ id }) => id), issues: unsent.map(problemOf) };
}

/** Returns the messages that an order has sent since it got its present status. */
export function sentSinceStatusChange(tenant: TenantContext, { versions }: OrderRow): Communication[] {
  const present = versions.at(-1)?.orderStatus?.toLowerCase();
  const change = versions.findLastIndex(({ orderStatus }) => orderStatus?.toLowerCase() !== present);
  const ids = versions.slice(change + 1).flatMap(({ communications }) => communications);
  return ids.flatMap((id) => tenant.get(outbox, id) ?? []).filter(({ status }) => status === 'sent');
}

const wasSent = (planned: CommunicationRule, sent: readonly Communication[]): boolean =>
  sent.some(
    ({ template, channel, orderStatus }) =>
      template === planned.template &&
      channel === planned.channel &&
      orderStatus.toLowerCase() === planned.orderStatus.toLowerCase(),
  );

/** Preferences are about marketing: what the contact ordered is told about whatever they say. */
function communicationOf(
  tenant: TenantContext,
  { channel, template }: CommunicationRule,
  occasion: Occasion,
): Communication {
  const { order, contact, jobId } = occasion;
  const address = contact.attributes[addressFields[channel]];
  const to = typeof address === 'string' && address !== '' ? address : null;
  return {
    id: tenant.newId(),
    number: tenant.next('outbox'),
    at: toTimestamp(tenant.now()),
    contactId: contact.id,
    channel,
    to,
    template,
    orderNumber: order.orderNumber ?? null,
    orderStatus: order.orderStatus ?? '',
    jobId,
    status: to === null ? 'not-sent' : 'sent',
    reason: to === null ? `the contact has no ${addressFields[channel]}` : null,
  };
}

const problemOf = ({ template, contactId, reason }: Communication): OrderIssue => ({
  code: 'communication-not-sent',
  message: `${template} was not sent to contact ${contactId}: ${reason}`,
});
