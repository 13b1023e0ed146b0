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
  onFaultDecided(pendingFault: PendingFault): void {
    this.pendingFault = pendingFault;
    const { signal } = this.request;
    signal.addEventListener('abort', () => {
      pendingFault.onClientGone();
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
    const bindings = new InProcessBindings(request, reject);
    respondInProcess(app, bindings).then(resolve, reject);
  });
}

async function respondInProcess(app: Hono<Env>, bindings: InProcessBindings): Promise<Response> {
  const response = await app.fetch(bindings.request, bindings);
  const { signal } = bindings.request;
  if (bindings.pendingFault) return deliverInProcess(response, bindings.pendingFault, bindings);
  if (!signal.aborted) return isEventStream(response) ? endedBy(signal, response) : response;
  bindings.onDelivered(nothingDelivered('client-aborted'));
  await response.body?.cancel();
  throw signal.reason;
}

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

/**
 * Returns a response whose body ends with an error when its client aborts, as that of `fetch` does: nothing else ends a
 * stream. Keeps nothing of it, since the stream counts what a slow reader lets wait.
 */
function endedBy(signal: AbortSignal, { body, status, headers }: Response): Response {
  const reader = body?.getReader();
  if (!reader) return new Response(null, { status, headers });
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        signal.addEventListener('abort', () => {
          controller.error(signal.reason);
          // One that has failed by itself can't be cancelled.
          reader.cancel(signal.reason).catch(() => {});
        });
      },
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (signal.aborted) return;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, headers });
}

async function deliverInProcess(
  response: Response,
  pendingFault: PendingFault,
  { request, onDelivered }: InProcessBindings,
): Promise<Response> {
  const { signal } = request;
  const full = await readFullResponse(response);
  const plan = planResponse(full, pendingFault);
  const ended = AbortSignal.any([signal, pendingFault.released]);
  const reason = (): unknown => (signal.aborted ? signal.reason : fetchFailedError('closed'));
  if (ended.aborted) {
    onDelivered(nothingDelivered(signal.aborted ? 'client-aborted' : 'close'));
    throw reason();
  }
  const bytes = lengthOf(plan.pieces);
  if (plan.head && plan.isWhole && plan.pieces.length < 2) {
    onDelivered(describeDelivered(plan, { bytes, end: plan.end }));
    return new Response(full.body === null ? null : Buffer.concat(plan.pieces), plan.head);
  }
  if (plan.head)
    return new Response(new ReadableStream(new TruncatedBody(plan, { pendingFault, request, onDelivered })), plan.head);
  onDelivered(describeDelivered(plan, { bytes, end: plan.end }));
  const errorKind = networkErrorOf(plan);
  if (errorKind) throw fetchFailedError(errorKind);
  await waitForever(ended, request);
  throw reason();
}

async function readFullResponse(response: Response): Promise<FullResponse> {
  const { status, headers } = response;
  const body = response.body && (await response.text());
  return { status, headers: Object.fromEntries(headers), body };
}

const lengthOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0);
