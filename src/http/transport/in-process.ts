import type { Hono } from 'hono';
import type { DeliveredResponse } from '../../core/exchange/fault.ts';
import { fetchFailedError } from './undici-errors.ts';
import { TruncatedBody, networkErrorOf } from './truncated-body.ts';
import type { PendingFault, Env } from '../context.ts';
import { planResponse, describeDelivered, nothingDelivered } from './wire-plan.ts';
import type { FullResponse } from '../../faults/kinds/fault-kind.ts';
import { waitForever } from './sleep.ts';

/** Connects a request of `sim.fetch` to the pipeline. */
class InProcessBindings {
  readonly request: Request;
  /** Holds the fault that hits the request, if any. */
  pendingFault: PendingFault | undefined;
  onDelivered: (delivered: DeliveredResponse) => void = () => {};
  readonly #reject: (reason: unknown) => void;

  constructor(request: Request, reject: (reason: unknown) => void) {
    this.request = request;
    this.#reject = reject;
  }

  /** Rejects the request when its client aborts it while it is held. */
  onFaultDecided(delivery: PendingFault): void {
    this.pendingFault = delivery;
    const { signal } = this.request;
    signal.addEventListener('abort', () => {
      delivery.onClientGone();
      this.#reject(signal.reason);
    });
  }
}

/**
 * Responds to a request in process. A fault hits it as it would hit a caller of `fetch`: with a rejection, or a body
 * that breaks off.
 */
export function fetchInProcess(app: Hono<Env>, request: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.signal.throwIfAborted();
    const call = new InProcessBindings(request, reject);
    respondInProcess(app, call).then(resolve, reject);
  });
}

async function respondInProcess(app: Hono<Env>, call: InProcessBindings): Promise<Response> {
  const answered = await app.fetch(call.request, call);
  const { signal } = call.request;
  if (call.pendingFault) return deliverInProcess(answered, call.pendingFault, call);
  if (!signal.aborted) return answered;
  call.onDelivered(nothingDelivered('client-aborted'));
  throw signal.reason;
}

async function deliverInProcess(
  answered: Response,
  delivery: PendingFault,
  { request, onDelivered }: InProcessBindings,
): Promise<Response> {
  const { signal } = request;
  const whole = await readFullResponse(answered);
  const plan = planResponse(whole, delivery);
  const over = AbortSignal.any([signal, delivery.released]);
  const reason = (): unknown => (signal.aborted ? signal.reason : fetchFailedError('closed'));
  if (over.aborted) {
    onDelivered(nothingDelivered(signal.aborted ? 'client-aborted' : 'close'));
    throw reason();
  }
  const bytes = lengthOf(plan.pieces);
  if (plan.head && plan.isWhole && plan.pieces.length < 2) {
    onDelivered(describeDelivered(plan, { bytes, end: plan.end }));
    return new Response(whole.body === null ? null : Buffer.concat(plan.pieces), plan.head);
  }
  if (plan.head)
    return new Response(new ReadableStream(new TruncatedBody(plan, { delivery, request, onDelivered })), plan.head);
  onDelivered(describeDelivered(plan, { bytes, end: plan.end }));
  const errorKind = networkErrorOf(plan);
  if (errorKind) throw fetchFailedError(errorKind);
  await waitForever(over, request);
  throw reason();
}

async function readFullResponse(answered: Response): Promise<FullResponse> {
  const { status, headers } = answered;
  const body = answered.body && (await answered.text());
  return { status, headers: Object.fromEntries(headers), body };
}

const lengthOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0);
