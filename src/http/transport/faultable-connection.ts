import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { DeliveredResponse, ConnectionEnd } from '../../core/exchange/fault.ts';
import type { PendingFault } from '../context.ts';
import { nextTurn } from '../../core/time/steps.ts';
import { drainRequest } from './drain-request.ts';
import { sleep } from './sleep.ts';

/**
 * Gives a client time to read what came before a reset, in ms. A reset may discard bytes that were not yet read, and
 * one that arrives together with the last bytes looks like a clean close to many clients.
 */
const resetGraceTime = 50;

/** Limits the time that a client may leave a connection open that we have closed, in ms. */
const maxCloseTime = 1000;

/** Limits a single write, in bytes: only whole writes are known to have gone out. */
const blockSize = 64 * 1024;

/** Limits what is written in one turn of the event loop, in bytes: a client that reads at once takes all of it. */
const sizeAtOnce = 16 * blockSize;

const ends = new WeakMap<Duplex, ConnectionEnd>();

/** Returns how a fault has ended a connection; later requests on it get no response. */
export const injectedEndOf = (connection: Duplex): ConnectionEnd | undefined => ends.get(connection);

/** Sends a faulted response over its connection, and ends the connection as the fault says. */
export class FaultableConnection {
  readonly pendingFault: PendingFault;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #socket: Socket;
  readonly #closed = new AbortController();
  #isHeld = true;
  #isHanging = false;
  #isHeadWritten = false;
  /** True when the client may still be reading this response, or the one before it. */
  #hasSent = false;

  constructor(
    pendingFault: PendingFault,
    { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  ) {
    this.pendingFault = pendingFault;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#socket = incoming.socket;
    pendingFault.released.addEventListener('abort', this.#closeOnRelease);
    // Pipelined requests on the same connection may each be held.
    this.#socket.setMaxListeners(0).on('close', this.#onClosed);
    if (this.#socket.destroyed) this.#onClosed();
  }

  /** True when the connection is closed, so that nothing more goes out. */
  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Returns how the connection ended: by a fault, or by its client. */
  get endedBy(): DeliveredResponse['end'] {
    return injectedEndOf(this.#socket) ?? 'client-aborted';
  }

  /** Waits until the responses to earlier requests on this connection are out. */
  async awaitPipelineTurn(): Promise<void> {
    this.#isHeld = false;
    if (this.#outgoing.socket) return;
    await this.#unlessOver((done) => this.#outgoing.once('socket', () => done()));
    this.#hasSent = true;
  }

  /** Sets the status line and the headers, which go out with the next write. */
  writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.isClosed) return;
    this.#outgoing.writeHead(status, headers);
    this.#isHeadWritten = true;
    this.#hasSent = true;
  }

  /** Sends part of a body, or raw bytes when no head was written; returns how many bytes went out. */
  async send(bytes: Uint8Array): Promise<number> {
    const to = this.#isHeadWritten ? this.#outgoing : this.#socket;
    this.#hasSent = true;
    for (let start = 0; start < bytes.length; start += blockSize) {
      if (start > 0 && start % sizeAtOnce === 0) await nextTurn();
      const block = bytes.subarray(start, start + blockSize);
      if (!(await this.#unlessOver((done) => to.write(block, done)))) return start;
    }
    return bytes.length;
  }

  /** Writes to the socket past Node's HTTP, to break a response in the middle. */
  async writeRaw(text: string): Promise<void> {
    await this.#unlessOver((done) => this.#socket.write(text, done));
  }

  pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds, this.#closed.signal);
  }

  /** Ends the connection as asked; returns how it really ended. */
  async end(end: ConnectionEnd): Promise<DeliveredResponse['end']> {
    if (end === 'normal') return (await this.#finish()) ? end : this.endedBy;
    if (this.#isHeadWritten && !this.isClosed) this.#outgoing.flushHeaders();
    // Writes nothing, but waits until all is out.
    await this.writeRaw('');
    if (this.isClosed) return this.endedBy;
    ends.set(this.#socket, end);
    this.#isHanging = end === 'hang';
    // The rest of the request is discarded: closing before it is read would reset the connection.
    this.#incoming.resume();
    if (end === 'reset') await this.#reset();
    if (end === 'close') this.#close();
    return end;
  }

  async #finish(): Promise<boolean> {
    if (!this.#incoming.complete) {
      await this.#unlessOver((done) => void drainRequest(this.#incoming).then(() => done()));
    }
    const isOut = await this.#unlessOver((done) => this.#outgoing.end(done));
    this.#release();
    return isOut;
  }

  async #reset(): Promise<void> {
    if (this.#hasSent) await this.#graceBeforeReset();
    if (!this.#socket.destroyed) this.#socket.resetAndDestroy();
  }

  async #graceBeforeReset(): Promise<void> {
    await this.pause(resetGraceTime);
    // A client in the same process reads between our timers and this.
    await new Promise(setImmediate);
  }

  #close(): void {
    this.#socket.end();
    void this.pause(maxCloseTime).then(() => this.#socket.destroy());
  }

  readonly #closeOnRelease = (): void => {
    ends.set(this.#socket, 'close');
    this.#socket.destroy();
    this.#closed.abort();
  };

  readonly #onClosed = (): void => {
    this.#release();
    if (this.#isHanging || (this.#isHeld && this.endedBy === 'client-aborted')) this.pendingFault.onClientGone();
    this.#closed.abort();
  };

  #release(): void {
    this.pendingFault.released.removeEventListener('abort', this.#closeOnRelease);
    this.#socket.off('close', this.#onClosed);
  }

  /** Runs a step; returns false when the connection closed before it was done. */
  #unlessOver(start: (done: (error?: Error | null) => void) => unknown): Promise<boolean> {
    const { signal } = this.#closed;
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const stop = (): void => resolve(false);
      signal.addEventListener('abort', stop, { once: true });
      start((error) => {
        signal.removeEventListener('abort', stop);
        // Node may report a failed write before the close of the connection.
        if (error) this.#onClosed();
        resolve(!error && !signal.aborted);
      });
    });
  }
}
