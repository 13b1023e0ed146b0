/**
 * Sends spans to a collector in batches, apart from the requests: it never holds one up, and gives up what it cannot
 * send.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { redactUrl } from '../core/exchange/redaction.ts';
import { startTimer } from '../core/time/clock.ts';
import { encodeSpans } from './otlp.ts';
import type { TraceSpan } from './otlp.ts';

/** Holds at most so many spans that wait to be sent. */
const maxQueued = 2048;
const maxBatch = 512;
/** Sends what has come after so many ms. */
const batchDelay = 1000;
/** Gives up an export that takes longer, in ms. */
const exportTimeout = 10_000;
/** Gives up the last exports after so many ms, so that nobody waits long for a stop. */
const closeTimeout = 500;

export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface ExporterOptions {
  readonly collector: Collector;
  readonly version: string;
  readonly onWarning: (message: string) => void;
}

export class Exporter {
  readonly #options: ExporterOptions;
  /** Holds what makes each span: exchanges are described when they are sent. */
  readonly #queue: (() => TraceSpan)[] = [];
  #cancelTimer: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  readonly #stop = new AbortController();
  #dropped = 0;
  #isClosing = false;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  add(makeSpan: () => TraceSpan): void {
    if (this.#isClosing || this.#queue.length >= maxQueued) {
      this.#drop(1, `more than ${maxQueued} wait to be sent`);
      return;
    }
    this.#queue.push(makeSpan);
    if (this.#queue.length >= maxBatch) this.#flush();
    else this.#cancelTimer ??= startTimer(batchDelay, () => this.#flush());
  }

  /** Sends what is left, as far as that takes no longer than half a second. */
  async close(): Promise<void> {
    this.#flush();
    this.#isClosing = true;
    const cancel = startTimer(closeTimeout, () => this.#stop.abort());
    await this.#sending;
    cancel();
    if (this.#dropped > 1) this.#options.onWarning(`otlpEndpoint: ${this.#dropped} spans were lost`);
  }

  #flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const spans = this.#queue.splice(0, maxBatch).map((make) => make());
      try {
        await post(this.#options.collector, encodeSpans(spans, this.#options.version), this.#stop.signal);
      } catch (error) {
        const reason = this.#stop.signal.aborted
          ? `no response within ${closeTimeout} ms at the end`
          : messageOf(error);
        this.#drop(spans.length, reason);
      }
    }
  }

  /** Warns once; how many it were in the end is said at the end. */
  #drop(count: number, reason: string): void {
    if (this.#dropped === 0) {
      this.#options.onWarning(
        `otlpEndpoint: spans are lost, as ${redactUrl(this.#options.collector.url)} does not take them: ${reason}`,
      );
    }
    this.#dropped += count;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function post({ url, headers }: Collector, body: string, signal: AbortSignal): Promise<void> {
  const request = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(body);
    const sent = { ...headers, 'content-type': 'application/json', 'content-length': String(length) };
    // A connection of its own keeps no process alive between batches.
    const outgoing = request(url, { method: 'POST', headers: sent, agent: false, signal });
    const cancel = startTimer(exportTimeout, () =>
      outgoing.destroy(new Error(`no response within ${exportTimeout / 1000} s`)),
    );
    outgoing.once('response', (response) => {
      const { statusCode: status = 0 } = response;
      response.resume();
      response.once('close', cancel);
      if (status >= 200 && status < 300) resolve();
      else reject(new Error(`it responded with ${status}`));
    });
    outgoing.once('error', (error) => {
      cancel();
      reject(error);
    });
    outgoing.end(body);
  });
}
