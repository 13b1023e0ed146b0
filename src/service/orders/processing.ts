/** Does the queued work of an order, which is kept in its latest version and sends what its status sets off. */
import { toTimestamp } from '../../core/time/clock.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { findContact } from '../contacts/lookup.ts';
import type { ContactRow } from '../contacts/schema.ts';
import { matchContact, ignoredContactTypeMessage, unmatchedReason } from '../receipts/contact-match.ts';
import { unknownStoreMessage } from '../retailer/operations.ts';
import { noCommunications, sendCommunications, sentCommunications } from './communications.ts';
import type { OrderIssue } from './communications.ts';
import { orderJobs, orders } from './schema.ts';
import type { OrderBody, OrderJob, OrderRow, OrderVersion } from './schema.ts';

/** Describes the payload of a job of kind `orders.process`. */
export interface OrderJobPayload {
  readonly jobId: string;
  readonly order: OrderBody;
}

/**
 * Keeps the order and sends what it sets off; what can't be right is noted in the job, the order is kept all the same.
 */
export function processOrder(tenant: TenantContext, { jobId, order }: OrderJobPayload): void {
  const previous = findOrder(tenant, order.orderNumber);
  const contactId = order.contact ? matchContact(tenant, order.contact) : undefined;
  const named = findContact(tenant, contactId ?? '');
  const owner = findContact(tenant, previous?.contactId ?? '');
  const change = named && owner && named.id !== owner.id ? changeOfContact(tenant, { order, owner, named }) : undefined;
  const contact = change ? change.contact : named;
  const sentBefore = previous ? sentCommunications(tenant, previous) : [];
  const sent =
    contact && change?.isSilent !== true
      ? sendCommunications(tenant, { order, contact, jobId, sentBefore })
      : noCommunications;
  const problems = [
    ...contactProblems(tenant, order, contact),
    ...(change ? [change.issue] : []),
    ...storeProblems(tenant, order.storeId),
    ...sent.issues,
  ];
  const repetition = previous && repetitionIssue(tenant, { previous, order, templates: sent.templates });
  const remarks = [...problems, ...unreadTypes(order, contact), ...(repetition ? [repetition] : [])];
  for (const { code, message } of remarks) tenant.warn(code, message);
  keepOrder(tenant, { previous, contact, work: { jobId, order }, communications: sent.communications });
  finishJob(tenant, jobId, {
    status: problems.length > 0 ? 'CompletedWithErrors' : 'Completed',
    communications: [...sent.communications],
    remarks,
  });
}

interface OrderOutcome extends Pick<OrderJob, 'status' | 'communications'> {
  readonly remarks: readonly OrderIssue[];
}

function finishJob(tenant: TenantContext, jobId: string, { status, communications, remarks }: OrderOutcome): void {
  const job = tenant.get(orderJobs, jobId);
  // A reset of the state alone leaves queued work without its job.
  if (!job) return;
  const finishedOn = toTimestamp(tenant.now());
  const messages = remarks.map(({ message }) => ({ message, timeStamp: finishedOn }));
  tenant.put(orderJobs, { ...job, status, finishedOn, communications, messages });
}

const findOrder = (tenant: TenantContext, orderNumber: OrderBody['orderNumber']): OrderRow | undefined =>
  typeof orderNumber === 'string' ? tenant.find(orders, 'orderNumber', orderNumber) : undefined;

interface Kept {
  readonly previous: OrderRow | undefined;
  readonly contact: ContactRow | undefined;
  readonly work: OrderJobPayload;
  readonly communications: readonly string[];
}

function keepOrder(
  tenant: TenantContext,
  { previous, contact, work: { jobId, order }, communications }: Kept,
): OrderRow {
  const version = {
    orderStatus: order.orderStatus ?? null,
    paymentStatus: order.paymentStatus ?? null,
    receivedOn: toTimestamp(tenant.now()),
    jobId,
    communications: [...communications],
  };
  const versions = previous?.versions ?? [];
  return tenant.put(orders, {
    id: previous?.id ?? tenant.newId(),
    orderNumber: order.orderNumber ?? null,
    contactId: contact?.id ?? previous?.contactId ?? null,
    content: order,
    versions: previous && isSentAgain(previous, order) ? repeated(versions, version) : [...versions, version],
  });
}

/** A repetition adds nothing but what it sent: an order that is sent again and again stays as small as it was. */
const repeated = (versions: readonly OrderVersion[], { communications }: OrderVersion): OrderVersion[] =>
  versions.map((version, i) =>
    i < versions.length - 1 ? version : { ...version, communications: [...version.communications, ...communications] },
  );

/** True for the same order in the same status again: most likely a retry after a lost response. */
function isSentAgain({ versions }: OrderRow, { orderStatus, paymentStatus }: OrderBody): boolean {
  const last = versions.at(-1);
  return (
    last !== undefined && isSameWord(last.orderStatus, orderStatus) && isSameWord(last.paymentStatus, paymentStatus)
  );
}

interface Repetition {
  readonly previous: OrderRow;
  readonly order: OrderBody;
  /** Names what it sent all the same. */
  readonly templates: readonly string[];
}

function repetitionIssue(tenant: TenantContext, { previous, order, templates }: Repetition): OrderIssue | undefined {
  const { orderNumber, orderStatus } = order;
  const last = previous.versions.at(-1);
  const wasBefore = previous.versions.some((version) => isSameWord(version.orderStatus, orderStatus));
  // a status that comes back is most likely a late repetition.
  const isLate = wasBefore && !isSameWord(last?.orderStatus, orderStatus) && tenant.assumption('A-73') !== 'again';
  if (!isLate && !isSentAgain(previous, order)) return undefined;
  const status = orderStatus ?? 'none';
  const had = isLate ? `had the status ${status} before` : `was sent with the status ${status} already`;
  const sent =
    templates.length === 0
      ? 'what that sent is not sent again'
      : `sent now is what could not be sent then: ${templates.join(', ')}`;
  return { code: 'repeated-order', message: `order ${orderNumber} ${had}; ${sent}` };
}

interface ChangeOfContact {
  readonly order: OrderBody;
  readonly owner: ContactRow;
  readonly named: ContactRow;
}

/** an order number that comes with another contact is most likely a mistake. */
function changeOfContact(
  tenant: TenantContext,
  { order: { orderNumber }, owner, named }: ChangeOfContact,
): { readonly contact: ContactRow; readonly isSilent: boolean; readonly issue: OrderIssue } {
  const isMoved = tenant.assumption('A-74') === 'moved';
  const what = isMoved ? `is moved to contact ${named.id}` : 'stays there, and sends nothing';
  const message = `order ${orderNumber} is of contact ${owner.id}, and came for contact ${named.id}; it ${what}`;
  const issue = { code: 'order-of-another-contact', message };
  return { contact: isMoved ? named : owner, isSilent: !isMoved, issue };
}

/** Statuses are compared without case, as all words are. */
const isSameWord = (a: string | null | undefined, b: string | null | undefined): boolean =>
  (a ?? '').toLowerCase() === (b ?? '').toLowerCase();

function contactProblems(tenant: TenantContext, order: OrderBody, contact: ContactRow | undefined): OrderIssue[] {
  if (contact) return [];
  const why = order.contact ? unmatchedReason(tenant, order.contact) : 'the order names no contact';
  const message = `${why}; the order is kept, but nothing is sent for it`;
  return [{ code: 'unknown-contact', message }];
}

function unreadTypes(order: OrderBody, contact: ContactRow | undefined): OrderIssue[] {
  const message = order.contact && contact ? ignoredContactTypeMessage(order.contact, contact) : undefined;
  return message === undefined ? [] : [{ code: 'unread-contact-type', message }];
}

function storeProblems(tenant: TenantContext, storeId: OrderBody['storeId']): OrderIssue[] {
  const message = unknownStoreMessage(tenant, 'storeId', storeId);
  return message === undefined ? [] : [{ code: 'unknown-store', message }];
}
