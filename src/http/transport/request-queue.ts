/**
 * Begins the requests that a client sends on a connection before it has read the responses to earlier ones. Node parses
 * all that it has read before it looks how much waits to be written: hundreds of small requests may be in one read.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isTurnSpent, nextTurn } from '../../core/time/steps.ts';

/** Limits the responses of a connection that are made at once; the first one and those that faults hold do not count. */
const maxInMaking = 4;

/** Limits the responses that wait for a client to read, in characters, before its next request begins. */
const maxUnsent = 1024 * 1024;

/** Counts only responses that are longer, in characters: Node itself stops reading when many short ones wait. */
const shortLength = 16 * 1024;

/** Counts for a call to the control API until it is over: what it responds with may be made while it is written. */
export const controlCallLength = maxUnsent / maxInMaking;

/** Limits the requests that wait, before no more are read from their connection. */
const maxWaiting = 100;

/** Holds the requests of a connection that have not begun. They begin in their order, whether the client is still there or not. */
class RequestQueue {
  readonly #socket: Socket;
  readonly #waiting: (() => void)[] = [];
  #inMaking = 0;
  #unsent = 0;
  #isBeginning = false;
  #isPaused = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => this.#beginNext());
  }

  add(outgoing: ServerResponse, begin: (place: QueuePlace) => void): void {
    this.#waiting.push(() => {
      this.#inMaking++;
      begin(new QueuePlace(this, outgoing));
    });
    if (this.#waiting.length > maxWaiting && !this.#isPaused) {
      this.#isPaused = true;
      this.#socket.pause();
    }
    this.#beginNext();
  }

  endMaking(): void {
    this.#inMaking--;
    this.#beginNext();
  }

  addUnsent(length: number): void {
    this.#unsent += length;
    if (length < 0) this.#beginNext();
  }

  get #hasRoom(): boolean {
    return this.#inMaking < maxInMaking && (this.#unsent < maxUnsent || this.#socket.destroyed);
  }

  #beginNext(): void {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    while (this.#waiting.length > 0 && this.#hasRoom) {
      if (isTurnSpent()) {
        void nextTurn().then(() => this.#goOn());
        return;
      }
      this.#waiting.shift()?.();
    }
    this.#isBeginning = false;
    if (this.#isPaused && this.#waiting.length <= maxWaiting) {
      this.#isPaused = false;
      this.#socket.resume();
    }
  }

  #goOn(): void {
    this.#isBeginning = false;
    this.#beginNext();
  }
}

/** Tells the queue how far the response to one of its requests is. */
export class QueuePlace {
  readonly #queue: RequestQueue;
  readonly #outgoing: ServerResponse;
  #isInMaking = true;

  constructor(queue: RequestQueue, outgoing: ServerResponse) {
    this.#queue = queue;
    this.#outgoing = outgoing;
  }

  /** Says that the response is made, or that a fault holds it. */
  endMaking(): void {
    if (!this.#isInMaking) return;
    this.#isInMaking = false;
    this.#queue.endMaking();
  }

  /** Counts a response of so many characters until it is out. */
  keep(length: number): void {
    if (length <= shortLength) return;
    this.#queue.addUnsent(length);
    this.#outgoing.once('close', () => this.#queue.addUnsent(-length));
  }
}

const queues = new WeakMap<Socket, RequestQueue>();

/** Returns the queue of a connection. */
export function queueOf(socket: Socket): RequestQueue {
  const known = queues.get(socket);
  if (known) return known;
  const queue = new RequestQueue(socket);
  queues.set(socket, queue);
  return queue;
}
