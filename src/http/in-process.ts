import type { Hono } from 'hono';
import type { Delivered } from '../core/faults.ts';
import { fetchFailed } from './broken-fetch.ts';
import { BrokenBody, breakageOf } from './broken-body.ts';
import type { Delivery, Env } from './context.ts';
import { cutAnswer, delivered, nothingDelivered } from './cut.ts';
import type { WholeAnswer } from './cut.ts';

/** A call by way of `sim.fetch`. */
class ProcessCall {
  readonly signal: AbortSignal;
  /** There is one when a fault befalls the call. */
  delivery: Delivery | undefined;
  note: (delivered: Delivered) => void = () => {};
  readonly #reject: (reason: unknown) => void;

  constructor(signal: AbortSignal, reject: (reason: unknown) => void) {
    this.signal = signal;
    this.#reject = reject;
  }

  /** While the call is held up, its caller may give up. */
  befall(delivery: Delivery): void {
    this.delivery = delivery;
    this.signal.addEventListener('abort', () => {
      delivery.left();
      this.#reject(this.signal.reason);
    });
  }
}

/**
 * Answers a call in process; what a fault says of its answer is met as by a caller of `fetch`: a rejection, or a body
 * that breaks off.
 */
export function fetchInProcess(app: Hono<Env>, request: Request): Promise<Response> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const call = new ProcessCall(signal, reject);
    answer(app, request, call).then(resolve, reject);
  });
}

async function answer(app: Hono<Env>, request: Request, call: ProcessCall): Promise<Response> {
  const answered = await app.fetch(request, call);
  if (call.delivery) return deliver(answered, call.delivery, call);
  if (!call.signal.aborted) return answered;
  call.note(nothingDelivered('client'));
  throw call.signal.reason;
}

async function deliver(answered: Response, delivery: Delivery, { signal, note }: ProcessCall): Promise<Response> {
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
  if (cut.head) return new Response(new ReadableStream(new BrokenBody(cut, { delivery, signal, note })), cut.head);
  note(delivered(cut, { bytes, end: cut.end }));
  const breakage = breakageOf(cut);
  if (breakage) throw fetchFailed(breakage);
  await aborted(over);
  throw reason();
}

async function wholeOf(answered: Response): Promise<WholeAnswer> {
  const { status, headers } = answered;
  const body = answered.body && (await answered.text());
  return { status, headers: Object.fromEntries(headers), body };
}

const lengthOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
