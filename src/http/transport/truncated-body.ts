import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web';
import type { DeliveredResponse } from '../../core/exchange/fault.ts';
import { terminatedError } from './undici-errors.ts';
import type { NetworkError } from './undici-errors.ts';
import type { PendingFault } from '../context.ts';
import { describeDelivered } from './wire-plan.ts';
import type { WirePlan } from './wire-plan.ts';
import { waitForever, sleep } from './sleep.ts';

/** Returns the network error that `fetch` sees for a plan; undefined when it waits forever. */
export function networkErrorOf({ complaint, end }: WirePlan): NetworkError | undefined {
  if (complaint) return complaint;
  if (end === 'hang') return undefined;
  return end === 'reset' ? 'reset' : 'closed';
}

interface BodyOptions {
  readonly pendingFault: PendingFault;
  readonly request: Request;
  readonly onDelivered: (delivered: DeliveredResponse) => void;
}

/** Delivers a body in pieces, and breaks off when all of them were read; a complete one just ends. */
export class TruncatedBody implements UnderlyingSource<Uint8Array> {
  readonly #plan: WirePlan;
  readonly #pendingFault: PendingFault;
  readonly #onDelivered: BodyOptions['onDelivered'];
  readonly #request: Request;
  readonly #cancelled = new AbortController();
  readonly #ended: AbortSignal;
  #bytes = 0;
  #isSent = false;

  constructor(plan: WirePlan, { pendingFault, request, onDelivered }: BodyOptions) {
    this.#plan = plan;
    this.#pendingFault = pendingFault;
    this.#request = request;
    this.#onDelivered = onDelivered;
    this.#ended = AbortSignal.any([request.signal, pendingFault.released, this.#cancelled.signal]);
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    void this.#send(controller);
  }

  /** Breaks off only now: an earlier error would discard what the client hasn't read yet. */
  pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.#isSent) this.#breakOff(controller);
  }

  cancel(): void {
    if (this.#isSent) this.#pendingFault.onClientGone();
    this.#cancelled.abort();
  }

  async #send(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { chunkDelays: delays } = this.#pendingFault.fired;
    for (const [i, piece] of this.#plan.pieces.entries()) {
      if (i > 0) await sleep(delays[i - 1] ?? 0, this.#ended);
      if (this.#ended.aborted) break;
      controller.enqueue(piece);
      this.#bytes += piece.length;
    }
    this.#onDelivered(
      describeDelivered(this.#plan, { bytes: this.#bytes, end: this.#ended.aborted ? this.#endedBy : this.#plan.end }),
    );
    if (this.#ended.aborted) this.#abort(controller);
    else if (this.#plan.isWhole) controller.close();
    else this.#endEarly(controller);
  }

  #endEarly(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#isSent = true;
    this.#ended.addEventListener('abort', () => this.#abort(controller), { once: true });
    if ((controller.desiredSize ?? 0) > 0) this.#breakOff(controller);
  }

  #breakOff(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const errorKind = networkErrorOf(this.#plan);
    if (errorKind) controller.error(terminatedError(errorKind));
    else void waitForever(this.#ended, this.#request);
  }

  #abort(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { signal } = this.#request;
    controller.error(signal.aborted ? signal.reason : terminatedError('closed'));
  }

  get #endedBy(): DeliveredResponse['end'] {
    return this.#pendingFault.released.aborted ? 'close' : 'client-aborted';
  }
}
