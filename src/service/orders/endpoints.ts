import { fieldsOfSent } from '../../core/exchange/subject.ts';
import { purchasePiece } from '../receipts/subjects.ts';
import { apiResponse, endpoint } from '../../core/exchange/endpoint.ts';
import { getOrderJob, submitOrder } from './operations.ts';
import { acceptedOrderSchema, orderBody, orderJobSchema, requiredOrderFields } from './schema.ts';

const tag = 'Receipts, transactions, orders';

const exampleOrder = {
  contact: { matchKey: 'astrid.lindqvist@example.com', matchKeyType: 'email', contactType: 'Member' },
  orderNumber: 'W-10001',
  orderStatus: 'OrderConfirmed',
  paymentStatus: 'Paid',
  createdDate: '2026-03-01T10:00:00+01:00',
  storeId: '900',
  currency: 'SEK',
  totalGrossPrice: 499,
  items: [{ sku: '10442-M', articleNumber: '10442', articleName: 'Linen shirt', quantity: 1, grossPaidPrice: 499 }],
};

export const orderEndpoints = [
  endpoint({
    id: 'createOrder',
    method: 'POST',
    path: '/orders',
    aliases: ['/api/v3/orders'],
    tag,
    summary: 'Queues an order, or a later status of one; sends what its status sets off and leaves purchases alone',
    body: orderBody,
    bodyRules: { required: requiredOrderFields },
    responses: { 200: orderJobSchema, 202: acceptedOrderSchema },
    errors: ['ValidationError', 'InvalidContactType'],
    assumptions: ['A-20', 'A-26', 'A-30', 'A-73', 'A-74'],
    retry: 'unkeyed',
    work: ({ body }) => [purchasePiece(`order ${String(fieldsOfSent(body)['orderStatus'])}`, body)],
    examples: [{ body: exampleOrder, status: 202 }],
    handle: (tenant, { body, self }) => {
      const job = submitOrder(tenant, body);
      if (job.finishedOn !== null && tenant.assumption('A-30') === 'sync') return apiResponse(200, job);
      const { jobId } = job;
      const link = { id: jobId, href: `${self.path}/jobs/${jobId}`, method: 'GET', rel: 'self' };
      return apiResponse(202, { jobId, links: [link] });
    },
  }),
  endpoint({
    id: 'getOrderJob',
    method: 'GET',
    path: '/orders/jobs/{jobId}',
    aliases: ['/api/v3/orders/jobs/{jobId}'],
    tag,
    summary: 'Says what became of an order: its status, and what was sent for it',
    responses: { 200: orderJobSchema },
    errors: ['OrderJobNotFound'],
    assumptions: ['A-20', 'A-30'],
    retry: 'safe',
    examples: [{ params: { jobId: '00000000-0000-4000-8000-000000000000' }, status: 404 }],
    handle: (tenant, { params }) => apiResponse(200, getOrderJob(tenant, params.jobId ?? '')),
  }),
];
