import { startTimer } from '../../core/time/clock.ts';
import { encodeInSteps, isLarge, jsonPieces } from '../../core/exchange/json-pieces.ts';
import { finish, finishInTurns, nextTurn } from '../../core/time/steps.ts';

/** Sends a comment after so many ms of real time without an event. */
const heartbeat = 15_000;
const stillHere = Buffer.from(': still here\n\n');
/** Limits what waits for one reader; a slower one misses events. */
const mostWaiting = { bytes: 1024 * 1024, events: 1000 };
/** Limits what is handed to a reader at once, in bytes: there may be many readers of one long event. */
const mostAtOnce = 256 * 1024;

/** Describes an event whose data is only made when there is room for it. */
export interface StreamEvent {
  readonly event: string;
  /** A reader sends it back to read on from here. */
  readonly id: number;
  readonly data: () => unknown;
}

/** Holds an event as it is sent; its bytes are made when they are first needed, those of a large one in turns. */
class Frame {
  readonly id: number;
  /** Counts its bytes; a large one counts for as much as may wait, which it has at least. */
  readonly length: number;
  readonly #pieces: Iterator<string, void>;
  #bytes: Uint8Array | undefined;
  #inTurns: Promise<Uint8Array> | undefined;

  constructor({ event, id, data }: StreamEvent) {
    const value = data();
    this.id = id;
    this.#pieces = framePieces(`id: ${id}\nevent: ${event}\ndata: `, value);
    this.length = isLarge(value, mostWaiting.bytes) ? mostWaiting.bytes : this.bytes.length;
  }

  get bytes(): Uint8Array {
    return (this.#bytes ??= finish(encodeInSteps(this.#pieces)));
  }

  bytesInTurns(): Promise<Uint8Array> {
    return (this.#inTurns ??= this.#bytes ? Promise.resolve(this.#bytes) : finishInTurns(encodeInSteps(this.#pieces)));
  }
}

/** Yields the text of an event: JSON has no line breaks of its own, so one line holds it. */
function* framePieces(head: string, value: unknown): Generator<string, void> {
  yield head;
  yield* jsonPieces(value);
  yield '\n\n';
}

/** Holds frames by the function for their data: several readers may get the same one. */
const frames = new WeakMap<StreamEvent['data'], Frame>();

function frameOf(event: StreamEvent): Frame {
  const known = frames.get(event.data);
  if (known?.id === event.id) return known;
  const frame = new Frame(event);
  frames.set(event.data, frame);
  return frame;
}

const joined = (parts: readonly Uint8Array[]): Uint8Array =>
  parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);

/** Returns the bytes of frames, and has them handed over in a turn of their own. */
async function joinedInTurns(waiting: readonly Frame[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const frame of waiting) parts.push(await frame.bytesInTurns());
  await nextTurn();
  return joined(parts);
}

/** Sends server-sent events to one reader, and says how many were dropped for lack of room. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #onEnd: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** True while the reader waits for more. */
  #isWanted = false;
  #isEnding = false;
  #waiting: Frame[] = [];
  #bytes = 0;
  #dropped = 0;
  #last = 0;
  #callOffBeat: () => void = () => {};

  /** `onEnd` is called when the reader has gone, or has read all of a stream that was ended. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    const source = {
      start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
        this.#controller = controller;
      },
      pull: () => {
        this.#isWanted = true;
        this.#flush();
      },
      cancel: () => this.#stop(),
    };
    // This class counts what waits, so nothing waits in the stream itself.
    this.body = new ReadableStream(source, { highWaterMark: 0 });
    this.#beat();
  }

  send(event: StreamEvent): void {
    if (this.#isEnding) return;
    this.#last = event.id;
    if (this.#isFull()) {
      this.#dropped++;
      return;
    }
    this.#put(event);
    this.#flush();
  }

  /** Ends the stream once everything that waits is read. */
  end(): void {
    this.#isEnding = true;
    this.#flush();
  }

  #isFull(): boolean {
    return (
      this.#dropped > 0 ||
      this.#waiting.length >= mostWaiting.events ||
      (this.#waiting.length > 0 && this.#bytes >= mostWaiting.bytes)
    );
  }

  #put(event: StreamEvent): void {
    const frame = frameOf(event);
    this.#waiting.push(frame);
    this.#bytes += frame.length;
  }

  #flush(): void {
    if (!this.#isWanted) return;
    if (this.#dropped > 0) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      this.#put({ event: 'events.dropped', id: this.#last, data: () => ({ dropped }) });
    }
    if (this.#waiting.length > 0) this.#writeWaiting();
    else if (this.#isEnding) this.#close();
  }

  #writeWaiting(): void {
    const [waiting, length] = [this.#waiting, this.#bytes];
    this.#waiting = [];
    this.#bytes = 0;
    this.#isWanted = false;
    if (length <= mostAtOnce) this.#write(joined(waiting.map(({ bytes }) => bytes)));
    else void joinedInTurns(waiting).then((bytes) => this.#write(bytes));
  }

  #write(bytes: Uint8Array): void {
    // The reader may have gone meanwhile.
    if (!this.#controller) return;
    this.#isWanted = false;
    this.#controller.enqueue(bytes);
    this.#beat();
  }

  #beat(): void {
    this.#callOffBeat();
    this.#callOffBeat = startTimer(heartbeat, () => {
      if (this.#isWanted) this.#write(stillHere);
      else this.#beat();
    });
  }

  #close(): void {
    this.#controller?.close();
    this.#stop();
  }

  #stop(): void {
    this.#isEnding = true;
    this.#isWanted = false;
    this.#controller = undefined;
    this.#callOffBeat();
    this.#waiting = [];
    this.#onEnd();
  }
}
