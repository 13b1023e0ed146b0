import { toTimestamp } from '../../core/time/clock.ts';
import { normalizeGuid } from '../../core/lib/random.ts';
import { jobs } from '../../core/time/jobs.ts';
import type { OrderedList } from '../../core/state/ordered-list.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import { apiError } from '../errors/catalog.ts';
import { getContactType } from '../retailer/operations.ts';
import { processOrder } from './processing.ts';
import type { OrderJobPayload } from './processing.ts';
import { orderJobs, outbox } from './schema.ts';
import type { Communication, OrderBody, OrderJob } from './schema.ts';

/** Queues an order to be kept and to set off its communications. Throws a validation error or `InvalidContactType`. */
export function submitOrder(tenant: TenantContext, order: OrderBody): OrderJob {
  if (order.contact?.contactType) getContactType(tenant, order.contact.contactType);
  const jobId = tenant.newId();
  const work: OrderJobPayload = { jobId, order };
  const isSync = tenant.assumption('A-30') === 'sync';
  const job = tenant.put(orderJobs, {
    jobId,
    status: 'Queued',
    orderNumber: order.orderNumber ?? null,
    createdOn: toTimestamp(tenant.now()),
    finishedOn: null,
    communications: [],
    messages: [],
    queuedAs: isSync ? null : tenant.enqueue('orders.process', work).id,
  });
  if (!isSync) return job;
  processOrder(tenant, work);
  return getOrderJob(tenant, jobId);
}

/** Returns the status of an order's job. Throws `OrderJobNotFound`. */
export function getOrderJob(tenant: TenantContext, jobId: string): OrderJob {
  const row = tenant.get(orderJobs, normalizeGuid(jobId) ?? '');
  if (!row) throw apiError('OrderJobNotFound', { message: `There is no order job ${jobId}.` });
  const { queuedAs, ...job } = row;
  const queued = queuedAs === null ? undefined : tenant.get(jobs, queuedAs);
  if (queued?.status !== 'failed') return job;
  const failure = { message: queued.error ?? 'The order could not be processed.', timeStamp: job.createdOn };
  return { ...job, status: 'Failed', messages: [failure] };
}

/** Says which communications to list (default: all of them). */
export interface OutboxQuery {
  readonly contactId?: string | undefined;
  readonly orderNumber?: string | undefined;
}

/** Returns the e-mails and text messages that orders set off, the earliest first. */
export function listOutbox(tenant: TenantContext, query: OutboxQuery = {}): Communication[] {
  const contactId = query.contactId?.toLowerCase();
  const listed = outboxList(tenant, { ...query, contactId });
  const communications = [...listed].flatMap(({ key }) => tenant.get(outbox, key) ?? []);
  return contactId === undefined ? communications : communications.filter((each) => each.contactId === contactId);
}

function outboxList(tenant: TenantContext, { contactId, orderNumber }: OutboxQuery): OrderedList {
  if (orderNumber !== undefined) return tenant.list(outbox, 'byOrder', orderNumber);
  if (contactId !== undefined) return tenant.list(outbox, 'byContact', contactId);
  return tenant.list(outbox, 'all', 'all');
}
