import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web';
import type { Delivered } from '../core/faults.ts';
import { terminated } from './broken-fetch.ts';
import type { Breakage } from './broken-fetch.ts';
import type { Delivery } from './context.ts';
import { delivered } from './cut.ts';
import type { Cut } from './cut.ts';
import { hang, pause } from './pause.ts';

/** What `fetch` takes a fault for; undefined when it waits in vain. */
export function breakageOf({ head, pieces, isChunked, end }: Cut): Breakage | undefined {
  if (isChunked) return 'chunk';
  if (!head && pieces.length > 0) return 'garbage';
  if (end === 'hang') return undefined;
  return end === 'rst' ? 'reset' : 'closed';
}

interface BodyOptions {
  readonly delivery: Delivery;
  readonly request: Request;
  readonly note: (delivered: Delivered) => void;
}

/** A body that comes in pieces, and breaks off when all of them were read; a whole one just ends. */
export class BrokenBody implements UnderlyingSource<Uint8Array> {
  readonly #cut: Cut;
  readonly #delivery: Delivery;
  readonly #note: BodyOptions['note'];
  readonly #request: Request;
  readonly #left = new AbortController();
  readonly #over: AbortSignal;
  #bytes = 0;
  #isSent = false;

  constructor(cut: Cut, { delivery, request, note }: BodyOptions) {
    this.#cut = cut;
    this.#delivery = delivery;
    this.#request = request;
    this.#note = note;
    this.#over = AbortSignal.any([request.signal, delivery.held, this.#left.signal]);
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    void this.#send(controller);
  }

  /** Breaking off at once would take from the caller what it hasn't read yet. */
  pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.#isSent) this.#breakOff(controller);
  }

  cancel(): void {
    this.#left.abort();
  }

  async #send(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { pauses } = this.#delivery.fired;
    for (const [i, piece] of this.#cut.pieces.entries()) {
      if (i > 0) await pause(pauses[i - 1] ?? 0, this.#over);
      if (this.#over.aborted) break;
      controller.enqueue(piece);
      this.#bytes += piece.length;
    }
    this.#note(delivered(this.#cut, { bytes: this.#bytes, end: this.#over.aborted ? this.#endedBy : this.#cut.end }));
    if (this.#over.aborted) this.#giveUp(controller);
    else if (this.#cut.isWhole) controller.close();
    else this.#endEarly(controller);
  }

  #endEarly(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#isSent = true;
    this.#over.addEventListener('abort', () => this.#giveUp(controller), { once: true });
    if ((controller.desiredSize ?? 0) > 0) this.#breakOff(controller);
  }

  #breakOff(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const breakage = breakageOf(this.#cut);
    if (breakage) controller.error(terminated(breakage));
    else void hang(this.#over, this.#request);
  }

  #giveUp(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { signal } = this.#request;
    controller.error(signal.aborted ? signal.reason : terminated('closed'));
  }

  get #endedBy(): Delivered['end'] {
    return this.#delivery.held.aborted ? 'fin' : 'client';
  }
}
