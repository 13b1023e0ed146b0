/**
 * A till that talks to the loyalty service as the specification's guidance to callers asks: it tries again after no
 * answer, 500 and 504, corrects before it repeats, and keeps a local fallback. The simulator's verdict is tested on
 * it, and on copies of it with one defect each (mutants.mjs).
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const retryStatuses = [500, 502, 503, 504, 429];

/** What could not be delivered by now; it is in the queue. */
class GaveUp extends Error {}

export class Till {
  constructor({ url, queueFile, pauses = [40, 80, 160], timeout = 1000, fallbackPause = 1100, rounds = 8, elapse }) {
    Object.assign(this, { url, queueFile, pauses, timeout, fallbackPause, rounds });
    this.elapse = elapse ?? (async () => {});
    this.queue = new Queue(queueFile);
    this.numbers = 0;
    this.random = randomFrom(url);
  }

  newKey() {
    this.numbers += 1;
    return `till-${this.random().toString(16).slice(2, 10)}-${this.numbers}`;
  }

  /** One purchase of one customer, from looking the customer up to the receipt. */
  async checkout({ email, firstName, lines, definitionId, challengeId }) {
    const contactId = await this.identify({ email, firstName });
    const promotions = await this.read(`/api/v3/promotion-assignments?contactId=${contactId}`);
    const promotion = (promotions ?? []).find(({ redeemed }) => !redeemed);
    if (promotion) await this.write(redeem(promotion.id));
    await this.write(update(contactId, firstName));
    await this.write(receipt({ key: this.newKey(), contactId, promotion, lines, at: timestamp() }));
    if (definitionId) await this.write(bonus({ key: this.newKey(), contactId, definitionId, at: timestamp() }));
    const account = definitionId && (await this.accountOf(contactId, definitionId));
    if (account) await this.write(addition({ key: this.newKey(), accountId: account.id, at: timestamp() }));
    if (challengeId) await this.award(contactId, challengeId);
    return contactId;
  }

  async identify({ email, firstName }) {
    const found = await this.read(lookupPath(email));
    if (found) return found;
    const created = await this.write(creation({ email, firstName }));
    return created?.body?.id ?? (await this.read(lookupPath(email)));
  }

  async accountOf(contactId, definitionId) {
    const accounts = await this.read(`/api/v3/point-accounts?contactId=${contactId}`);
    return (accounts?.items ?? []).find((account) => account.definitionId === definitionId);
  }

  async award(contactId, definitionId) {
    const before = await this.checkpointsOf(contactId, definitionId);
    await this.write({ ...checkpoint({ contactId, definitionId, at: timestamp() }), before });
  }

  async checkpointsOf(contactId, definitionId) {
    const challenges = await this.read(`/api/v3/challenges?contactId=${contactId}&definitionId=${definitionId}`);
    return challenges?.items?.[0]?.completedCheckpoints ?? 0;
  }

  /** The answer's body; nothing when it isn't found or can't be had. */
  async read(path) {
    try {
      const { status, body } = await this.call({ method: 'GET', path });
      return status === 200 ? body : undefined;
    } catch (error) {
      if (error instanceof GaveUp) return undefined;
      throw error;
    }
  }

  /** Delivers a change now, or keeps it for later: behind what is waiting already. */
  async write(operation) {
    if (!this.queue.isEmpty) {
      this.queue.push(operation);
      return undefined;
    }
    try {
      return await this.call(operation);
    } catch (error) {
      if (!(error instanceof GaveUp)) throw error;
      this.queue.push({ ...operation, isUnknown: true });
      return undefined;
    }
  }

  /** Delivers what is waiting, the oldest first; answers whether all of it got through. */
  async deliverQueue() {
    for (let round = 0; !this.queue.isEmpty && round < this.rounds; round++) {
      await sleep(this.fallbackPause);
      await this.elapse();
      await this.deliverRound();
    }
    return this.queue.isEmpty;
  }

  async deliverRound() {
    while (!this.queue.isEmpty) {
      const operation = this.queue.first;
      try {
        const isThere = operation.isUnknown && (await this.tookEffect(operation));
        if (!isThere) await this.call(operation);
      } catch (error) {
        if (!(error instanceof GaveUp)) throw error;
        this.queue.mark(operation);
        return;
      }
      this.queue.shift();
    }
  }

  /** Tries a call until it is answered for good. Throws `GaveUp` after the last attempt. */
  async call(operation) {
    for (let attempt = 0; attempt <= this.pauses.length; attempt++) {
      if (attempt > 0) {
        await sleep(this.pauseBefore(attempt));
        if (await this.tookEffect(operation)) return { status: 200, body: undefined };
      }
      const answer = await this.attempt(operation);
      if (answer !== undefined && !retryStatuses.includes(answer.status)) return answer;
    }
    throw new GaveUp(operation.path);
  }

  pauseBefore(attempt) {
    const shortest = this.pauses[attempt - 1];
    return shortest + this.random() * shortest * 0.4;
  }

  /** Whether a call that adds without a key got through although its answer did not. */
  async tookEffect(operation) {
    if (!operation.look) return false;
    if (operation.look === 'contact') return (await this.read(lookupPath(operation.email))) !== undefined;
    if (operation.look === 'points') return this.hasTransaction(operation);
    return (await this.checkpointsOf(operation.contactId, operation.definitionId)) > operation.before;
  }

  async hasTransaction({ contactId, definitionId, reference }) {
    const account = await this.accountOf(contactId, definitionId);
    if (!account) return false;
    const list = await this.read(`/api/v3/point-transactions?id=${account.id}&sortBy=createdOn&count=50`);
    return (list?.items ?? []).some(({ description }) => description === reference);
  }

  /** One try: the answer, or nothing when none came that can be read. */
  async attempt({ method, path, text }) {
    try {
      const response = await fetch(`${this.url}${path}`, {
        method,
        headers: {
          'user-agent': 'reference-till/1.0',
          ...(text !== undefined && { 'content-type': 'application/json' }),
        },
        body: text,
        signal: AbortSignal.timeout(this.timeout),
      });
      const received = await response.text();
      return { status: response.status, body: received === '' ? undefined : JSON.parse(received) };
    } catch {
      return undefined;
    }
  }
}

/** Changes that wait for better times, kept in a file so that they outlive the till. */
class Queue {
  #file;
  #operations;

  constructor(file) {
    this.#file = file;
    this.#operations = file === undefined ? [] : readQueue(file);
  }

  get isEmpty() {
    return this.#operations.length === 0;
  }

  get first() {
    return this.#operations[0];
  }

  push(operation) {
    this.#operations.push(operation);
    this.#save();
  }

  mark(operation) {
    operation.isUnknown = true;
    this.#save();
  }

  shift() {
    this.#operations.shift();
    this.#save();
  }

  #save() {
    if (this.#file === undefined) return;
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#operations));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

function readQueue(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const timestamp = () => new Date().toISOString();

const lookupPath = (email) => `/api/v3/contacts/id?email=${encodeURIComponent(email)}`;

/** The content is written once: every attempt sends the same text. */
const change = (method, path, body, rest = {}) => ({ method, path, text: JSON.stringify(body), ...rest });

const creation = ({ email, firstName }) =>
  change('POST', '/api/v3/contacts', { email, firstName, contactType: 'Member' }, { look: 'contact', email });

const update = (contactId, firstName) =>
  change('PATCH', `/api/v3/contacts/${contactId}`, { firstName, street: 'Storgatan 1' });

const redeem = (id) => change('POST', `/api/v3/promotions/codes/${id}/redeem`, { redemptionChannel: 'POS' });

const receipt = ({ key, contactId, promotion, lines, at }) => {
  const total = lines.reduce((sum, { price }) => sum + price, 0);
  return change('POST', '/api/v3/receipts', {
    contact: { matchKey: contactId, matchKeyType: 'contactId' },
    uniqueReceiptId: key,
    createdDate: at,
    storeExternalId: '100',
    currency: 'SEK',
    totalGrossPrice: total,
    paymentMethods: [{ type: 'CARD', value: total }],
    ...(promotion && { usedPromotions: [{ couponId: promotion.id }] }),
    items: lines.map(({ sku, price }) => ({
      type: 'PURCHASE',
      quantity: 1,
      grossPaidPrice: price,
      taxAmount: price / 5,
      taxPercent: 25,
      sku,
      articleNumber: sku,
      articleName: sku,
    })),
  });
};

const bonus = ({ key, contactId, definitionId, at }) =>
  change(
    'POST',
    '/api/v3/point-accounts/transactions',
    [{ contactId, definitionId, amount: 10, timeStamp: at, source: 'Adjustment', description: key }],
    { look: 'points', contactId, definitionId, reference: key },
  );

const addition = ({ key, accountId, at }) =>
  change('POST', '/api/v3/point-transactions', {
    accountId,
    transactionId: key,
    transactionType: 'Addition',
    amount: 5,
    description: 'Welcome',
    source: 'Adjustment',
    transactionDate: at,
  });

const checkpoint = ({ contactId, definitionId, at }) =>
  change('POST', '/api/v3/challenges/checkpoints', [{ contactId, definitionId, checkpointAmount: 1, timeStamp: at }], {
    look: 'checkpoints',
    contactId,
    definitionId,
  });

/** Chance for keys and pauses that follows from a text. */
function randomFrom(text) {
  let state = [...text].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16777619), 2166136261) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
