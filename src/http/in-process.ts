import type { Hono } from 'hono';
import type { Delivered } from '../core/faults.ts';
import { fetchFailed } from './broken-fetch.ts';
import { BrokenBody, breakageOf } from './broken-body.ts';
import type { Delivery, Env } from './context.ts';
import { cutAnswer, delivered, nothingDelivered } from './cut.ts';
import type { WholeAnswer } from './cut.ts';
import { hang } from './pause.ts';

/** A call by way of `sim.fetch`. */
class ProcessCall {
  readonly request: Request;
  /** There is one when a fault befalls the call. */
  delivery: Delivery | undefined;
  note: (delivered: Delivered) => void = () => {};
  readonly #reject: (reason: unknown) => void;

  constructor(request: Request, reject: (reason: unknown) => void) {
    this.request = request;
    this.#reject = reject;
  }

  /** While the call is held up, its caller may give up. */
  befall(delivery: Delivery): void {
    this.delivery = delivery;
    const { signal } = this.request;
    signal.addEventListener('abort', () => {
      delivery.left();
      this.#reject(signal.reason);
    });
  }
}

/**
 * Answers a call in process; what a fault says of its answer is met as by a caller of `fetch`: a rejection, or a body
 * that breaks off.
 */
export function fetchInProcess(app: Hono<Env>, request: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.signal.throwIfAborted();
    const call = new ProcessCall(request, reject);
    answer(app, call).then(resolve, reject);
  });
}

async function answer(app: Hono<Env>, call: ProcessCall): Promise<Response> {
  const answered = await app.fetch(call.request, call);
  const { signal } = call.request;
  if (call.delivery) return deliver(answered, call.delivery, call);
  if (!signal.aborted) return answered;
  call.note(nothingDelivered('client'));
  throw signal.reason;
}

async function deliver(answered: Response, delivery: Delivery, { request, note }: ProcessCall): Promise<Response> {
  const { signal } = request;
  const whole = await wholeOf(answered);
  const cut = cutAnswer(whole, delivery);
  const over = AbortSignal.any([signal, delivery.held]);
  const reason = (): unknown => (signal.aborted ? signal.reason : fetchFailed('closed'));
  if (over.aborted) {
    note(nothingDelivered(signal.aborted ? 'client' : 'fin'));
    throw reason();
  }
  const bytes = lengthOf(cut.pieces);
  if (cut.head && cut.isWhole && cut.pieces.length < 2) {
    note(delivered(cut, { bytes, end: cut.end }));
    return new Response(whole.body, cut.head);
  }
  if (cut.head) return new Response(new ReadableStream(new BrokenBody(cut, { delivery, request, note })), cut.head);
  note(delivered(cut, { bytes, end: cut.end }));
  const breakage = breakageOf(cut);
  if (breakage) throw fetchFailed(breakage);
  await hang(over, request);
  throw reason();
}

async function wholeOf(answered: Response): Promise<WholeAnswer> {
  const { status, headers } = answered;
  const body = answered.body && (await answered.text());
  return { status, headers: Object.fromEntries(headers), body };
}

const lengthOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0);
