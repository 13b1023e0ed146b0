import { startTimer } from '../../core/time/clock.ts';

/** A comment goes out when nothing else has for so long, in ms of real time. */
const heartbeat = 15_000;
/** A reader who is slower than that misses some: so much may wait for one, in characters and in events. */
const mostWaiting = { characters: 1024 * 1024, events: 1000 };

/** What is told: the name of the event and, made only when there is room for it, what it says. */
export interface StreamEvent {
  readonly event: string;
  /** What a reader sends back who reads on after it later. */
  readonly id: number;
  readonly data: () => unknown;
}

/** Events on their way to one reader (server-sent events), who is told how many were dropped for want of room. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #onEnd: () => void;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Whether the reader waits for more. */
  #isWanted = false;
  #isEnding = false;
  #waiting: string[] = [];
  #characters = 0;
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
    // What waits is counted here, so nothing waits in the stream itself.
    this.body = new ReadableStream(source, { highWaterMark: 0 });
    this.#beat();
  }

  send(told: StreamEvent): void {
    if (this.#isEnding) return;
    this.#last = told.id;
    if (this.#isFull()) {
      this.#dropped++;
      return;
    }
    this.#put(told);
    this.#flush();
  }

  /** Ends it when all that waits is read. */
  end(): void {
    this.#isEnding = true;
    this.#flush();
  }

  #isFull(): boolean {
    return (
      this.#dropped > 0 ||
      this.#waiting.length >= mostWaiting.events ||
      (this.#waiting.length > 0 && this.#characters >= mostWaiting.characters)
    );
  }

  #put({ event, id, data }: StreamEvent): void {
    // JSON has no line breaks of its own, so one line holds it.
    const text = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data())}\n\n`;
    this.#waiting.push(text);
    this.#characters += text.length;
  }

  #flush(): void {
    if (!this.#isWanted) return;
    if (this.#dropped > 0) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      this.#put({ event: 'events.dropped', id: this.#last, data: () => ({ dropped }) });
    }
    if (this.#waiting.length > 0) this.#write(this.#waiting.join(''));
    else if (this.#isEnding) this.#close();
  }

  #write(text: string): void {
    this.#isWanted = false;
    this.#waiting = [];
    this.#characters = 0;
    this.#controller?.enqueue(this.#encoder.encode(text));
    this.#beat();
  }

  #beat(): void {
    this.#callOffBeat();
    this.#callOffBeat = startTimer(heartbeat, () => {
      if (this.#isWanted) this.#write(': still here\n\n');
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
    this.#callOffBeat();
    this.#waiting = [];
    this.#onEnd();
  }
}
