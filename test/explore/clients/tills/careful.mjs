/**
 * Sends requests as the specification's guidance to callers asks: the same request again after no response, 429 and
 * 5xx, with growing pauses, at most four times; a look before a write without a key is repeated; and a queue in
 * memory for what could not be delivered. Tills inherit from it, and each spoils one place.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export const transient = new Set([429, 500, 502, 503, 504]);

/** Is thrown when the service has not answered by the last attempt. */
export class Undelivered extends Error {}

export class Careful {
  pauses = [20, 40, 80];
  maxAttempts = 4;
  timeout = 400;
  /** The pause before a queued write is forwarded, in ms. */
  forwardAfter = 250;
  /** How long it goes on with what the service does not take, in ms. */
  patience = 5000;
  queue = [];
  keys = 0;
  startedAt = performance.now();

  constructor(fetch, baseUrl, key, client) {
    this.fetch = fetch;
    this.baseUrl = baseUrl;
    this.client = client;
    this.headers = { 'user-agent': `${client}/1.0`, 'x-sim-client': client, ...(key && { apikey: key }) };
  }

  newKey() {
    this.keys += 1;
    return `${this.client}-${this.keys}`;
  }

  /** Tries once; answers nothing when no whole response came. */
  async attempt(request) {
    const { method, path, text, headers } = request;
    try {
      const response = await this.fetch(`${this.baseUrl}${path}`, {
        method,
        headers: { ...this.headers, ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(text !== undefined && { body: text }),
        signal: AbortSignal.timeout(this.timeout),
      });
      const { status } = response;
      const retryAfter = Number(response.headers.get('retry-after') ?? 0) * 1000;
      const received = await response.text().catch((error) => this.onCutBody(error, status, request));
      return { status, body: received === '' ? undefined : JSON.parse(received), retryAfter };
    } catch (error) {
      return this.onNoResponse(error, request);
    }
  }

  /** A write with status 2xx is done, even if the rest of the response is lost. */
  onCutBody(error, status, { method }) {
    if (method === 'GET' || status >= 300) throw error;
    return '';
  }

  onNoResponse() {
    return undefined;
  }

  /** The pause before an attempt, counted from 1 for the first repeat. */
  pauseBefore(repeat, answer) {
    const shortest = this.pauses[repeat - 1];
    return Math.max(answer?.retryAfter ?? 0, shortest + shortest * 0.2);
  }

  /** Whether an answer needs no repeat. */
  isFinal(answer) {
    return answer !== undefined && !transient.has(answer.status);
  }

  /** Tries until it is answered. Throws `Undelivered` after the last attempt. */
  async call(request) {
    let answer;
    for (let repeat = 0; repeat < this.maxAttempts; repeat++) {
      if (repeat > 0) {
        await sleep(this.pauseBefore(repeat, answer));
        if (request.tookEffect && (await request.tookEffect())) return { status: 200 };
      }
      answer = await this.attempt(this.requestFor(request, repeat));
      if (this.isFinal(answer, request)) return answer;
    }
    throw Object.assign(new Undelivered(request.path), { retryAfter: answer?.retryAfter });
  }

  requestFor(request) {
    return request;
  }

  /** Does a piece of work again, after a longer pause each time, until the service answers or the patience is over. */
  async insist(work) {
    for (let round = 1; ; round++) {
      try {
        return await work();
      } catch (error) {
        const isOver = performance.now() - this.startedAt > this.patience;
        if (!(error instanceof Undelivered) || isOver) throw error;
        await sleep(Math.max(error.retryAfter ?? 0, this.forwardAfter * Math.min(round, 4)));
      }
    }
  }

  /** Reads, and waits for the answer however long it takes. */
  read(path) {
    return this.insist(() => this.call({ method: 'GET', path }));
  }

  /** What is there, or nothing after a 404. */
  async find(path) {
    const { status, body } = await this.read(path);
    return status === 200 ? body : undefined;
  }

  contactId(email) {
    return this.find(`/api/v3/contacts/id?email=${encodeURIComponent(email)}`);
  }

  /** Sends a write, and waits until it is done. */
  write(request) {
    let isTried = false;
    return this.insist(async () => {
      if (isTried && request.tookEffect && (await request.tookEffect())) return { status: 200 };
      isTried = true;
      return this.call(request);
    });
  }

  /** Sends a write now, or keeps it for later, behind what is waiting already. */
  async post(request) {
    if (this.queue.length > 0) {
      this.queue.push(request);
      return undefined;
    }
    try {
      return await this.call(request);
    } catch (error) {
      if (!(error instanceof Undelivered)) throw error;
      this.queue.push(this.waiting(request));
      return undefined;
    }
  }

  waiting(request) {
    return { ...request, isTried: true };
  }

  /** Delivers what is waiting, the oldest first. */
  async finish() {
    while (this.queue.length > 0) {
      await sleep(this.forwardAfter);
      await this.forward(this.queue[0]);
      this.queue.shift();
    }
  }

  forward(request) {
    let { isTried } = request;
    return this.insist(async () => {
      if (isTried && request.tookEffect && (await request.tookEffect())) return { status: 200 };
      isTried = true;
      return this.call(request);
    });
  }

  /** Whether a bulk of points is there, by its description. */
  async hasPoints(contactId, definitionId, description) {
    const accounts = await this.look(`/api/v3/point-accounts?contactId=${contactId}`);
    const account = (accounts?.items ?? []).find((one) => one.definitionId === definitionId);
    if (!account) return false;
    const found = await this.look(`/api/v3/point-transactions?id=${account.id}&sortBy=createdOn&count=50`);
    return (found?.items ?? []).some((one) => one.description === description);
  }

  async checkpoints(contactId, definitionId) {
    const found = await this.look(`/api/v3/challenges?contactId=${contactId}&definitionId=${definitionId}`);
    return found?.items?.[0]?.completedCheckpoints ?? 0;
  }

  /** Looks something up for a repeat. Throws `Undelivered` when the service does not say. */
  async look(path) {
    const { status, body } = await this.call({ method: 'GET', path });
    return status === 200 ? body : undefined;
  }
}

export { sleep };
