import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { DeliveredResponse, ConnectionEnd } from '../../core/exchange/fault.ts';
import type { PendingFault } from '../context.ts';
import { drainRequest } from './drain-request.ts';
import { sleep } from './sleep.ts';

/**
 * How long a client has to read what came before a reset, in ms: a reset may take what was not yet read, and one that
 * is met together with the last bytes looks like a clean close to many clients.
 */
const readingTime = 50;

/** How long a client may leave a connection open that we have closed, in ms. */
const closingTime = 1000;

/** What is handed to the system at once, in bytes: whether it went out is known by the block. */
const blockSize = 64 * 1024;

const ends = new WeakMap<Duplex, ConnectionEnd>();

/** How a fault has ended a connection; nothing that comes by it later is answered. */
export const injectedEndOf = (connection: Duplex): ConnectionEnd | undefined => ends.get(connection);

/** The connection by which an answer with a fault goes out. */
export class FaultableConnection {
  readonly pendingFault: PendingFault;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #socket: Socket;
  readonly #over = new AbortController();
  #isHeldUp = true;
  #isBegun = false;
  /** Whether the client may still be reading: this answer, or the one before it. */
  #hasSent = false;

  constructor(delivery: PendingFault, { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse }) {
    this.pendingFault = delivery;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#socket = incoming.socket;
    delivery.released.addEventListener('abort', this.#closeOnRelease);
    // Requests may come one right after another by the same connection, and each be held up.
    this.#socket.setMaxListeners(0).on('close', this.#closed);
    if (this.#socket.destroyed) this.#closed();
  }

  /** Whether nothing more goes out: somebody has closed the connection. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Who has closed the connection. */
  get endedBy(): DeliveredResponse['end'] {
    return injectedEndOf(this.#socket) ?? 'client-aborted';
  }

  /** Waits until the answers to earlier requests by this connection are out. */
  async awaitPipelineTurn(): Promise<void> {
    this.#isHeldUp = false;
    if (this.#outgoing.socket) return;
    await this.#unlessOver((done) => this.#outgoing.once('socket', () => done()));
    this.#hasSent = true;
  }

  /** The status line and the headers go out with what comes next. */
  writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.isOver) return;
    this.#outgoing.writeHead(status, headers);
    this.#isBegun = true;
    this.#hasSent = true;
  }

  /** Sends some of a body, or bytes that are no HTTP where nothing was begun; answers how many went out. */
  async send(bytes: Uint8Array): Promise<number> {
    const to = this.#isBegun ? this.#outgoing : this.#socket;
    this.#hasSent = true;
    for (let start = 0; start < bytes.length; start += blockSize) {
      const block = bytes.subarray(start, start + blockSize);
      if (!(await this.#unlessOver((done) => to.write(block, done)))) return start;
    }
    return bytes.length;
  }

  /** Sends what breaks the rules of HTTP in the middle of an answer. */
  async writeRaw(text: string): Promise<void> {
    await this.#unlessOver((done) => this.#socket.write(text, done));
  }

  pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds, this.#over.signal);
  }

  /** Answers how it really ended. */
  async end(end: ConnectionEnd): Promise<DeliveredResponse['end']> {
    if (end === 'normal') return (await this.#finish()) ? end : this.endedBy;
    if (this.#isBegun && !this.isOver) this.#outgoing.flushHeaders();
    // Waits until all is out; writes nothing.
    await this.writeRaw('');
    if (this.isOver) return this.endedBy;
    ends.set(this.#socket, end);
    // What still comes in is taken in, unread: closing before that would reset the connection.
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
    await this.pause(readingTime);
    // A client in this very process reads between our timers and this.
    await new Promise(setImmediate);
  }

  #close(): void {
    this.#socket.end();
    void this.pause(closingTime).then(() => this.#socket.destroy());
  }

  readonly #closeOnRelease = (): void => {
    ends.set(this.#socket, 'close');
    this.#socket.destroy();
    this.#over.abort();
  };

  readonly #closed = (): void => {
    this.#release();
    if (this.#isHeldUp && this.endedBy === 'client-aborted') this.pendingFault.onClientGone();
    this.#over.abort();
  };

  #release(): void {
    this.pendingFault.released.removeEventListener('abort', this.#closeOnRelease);
    this.#socket.off('close', this.#closed);
  }

  /** Answers whether it was done, rather than the connection closed. */
  #unlessOver(start: (done: (error?: Error | null) => void) => unknown): Promise<boolean> {
    const { signal } = this.#over;
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const stop = (): void => resolve(false);
      signal.addEventListener('abort', stop, { once: true });
      start((error) => {
        signal.removeEventListener('abort', stop);
        // Node may tell that a write has failed before it tells that the connection is closed.
        if (error) this.#closed();
        resolve(!error && !signal.aborted);
      });
    });
  }
}
