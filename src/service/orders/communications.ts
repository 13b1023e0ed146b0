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
  /** Holds the messages that this order has sent, as far as they are not to be sent again. */
  readonly sentBefore: readonly Communication[];
}

/** Describes something that didn't go as the caller will have meant it. */
export interface OrderIssue {
  readonly code: string;
  readonly message: string;
}

interface SentCommunications {
  readonly communications: readonly string[];
  /** Names the templates that were sent to somebody. */
  readonly templates: readonly string[];
  readonly issues: readonly OrderIssue[];
}

export const noCommunications: SentCommunications = { communications: [], templates: [], issues: [] };

/** Puts what the order's status sets off in the outbox: each once only, so that a retry mails nobody twice. */
export function sendCommunications(tenant: TenantContext, occasion: Occasion): SentCommunications {
  const status = occasion.order.orderStatus ?? '';
  const made = retailerOf(tenant)
    .orderCommunications.filter((planned) => planned.orderStatus.toLowerCase() === status.toLowerCase())
    .filter((planned) => !wasSent(planned, occasion.sentBefore))
    .map((planned) => tenant.put(outbox, communicationOf(tenant, planned, occasion)));
  const unsent = made.filter((communication) => communication.status === 'not-sent');
  return {
    communications: made.map(({ id }) => id),
    templates: made.filter((communication) => communication.status === 'sent').map(({ template }) => template),
    issues: unsent.map(problemOf),
  };
}

/** Returns the messages of an order that are not sent again: all, or those since it got its present status. */
export function sentCommunications(tenant: TenantContext, { versions }: OrderRow): Communication[] {
  const present = versions.at(-1)?.orderStatus?.toLowerCase();
  const change =
    tenant.assumption('A-73') === 'again'
      ? versions.findLastIndex(({ orderStatus }) => orderStatus?.toLowerCase() !== present)
      : -1;
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

/**
 * Returns a communication, whatever the contact's preferences say: these are about marketing, not about what they
 * ordered.
 */
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
