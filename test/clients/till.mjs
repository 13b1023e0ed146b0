/**
 * A till that talks to the loyalty service as the specification's guidance to callers asks: it tries again after no
 * answer, 500 and 504, corrects before it repeats, and keeps a local fallback. The simulator's verdict is tested on
 * it, and on copies of it with one defect each (mutants.mjs).
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fetch } from './quick-fetch.mjs';
import { addition, balances, bonus, checkpoint, creation, lookupPath, receipt, redeem, update } from './calls.mjs';

const retryStatuses = new Set([500, 502, 503, 504, 429]);

/** What could not be delivered by now. */
class GaveUp extends Error {}

export class Till {
  constructor({ url, queueFile, pauses = [40, 80, 160], timeout = 1000, fallbackPause = 1100, rounds = 8, ...time }) {
    Object.assign(this, { url, pauses, timeout, fallbackPause, rounds });
    this.elapse = time.elapse ?? (async () => {});
    this.wait = time.wait ?? sleep;
    this.queue = new Queue(queueFile);
    this.numbers = 0;
    this.random = randomFrom(url);
  }

  newKey() {
    this.numbers += 1;
    return `till-${this.random().toString(16).slice(2, 10)}-${this.numbers}`;
  }

  /** One purchase of one customer, from looking the customer up to the receipt; it never waits for the service to be back. */
  async checkout({ email, firstName, lines, definitionId, challengeId }) {
    const customer = await this.identify({ email, firstName });
    const { contactId } = customer;
    const promotion = contactId && (await this.usablePromotion(contactId));
    if (promotion) await this.write(redeem(promotion.id));
    if (contactId) await this.write(update(contactId, firstName));
    await this.write(receipt({ key: this.newKey(), contactId, email, promotion, lines }));
    if (contactId || customer.contactOf) await this.reward(customer, { firstName, definitionId, challengeId });
    return contactId;
  }

  /** The customer's id; or, when the service can't be asked, the e-mail by which it tells the id later. */
  async identify({ email, firstName }) {
    const create = creation({ email, firstName });
    const found = await this.read(lookupPath(email));
    if (found.body) return { contactId: found.body };
    if (!found.isAnswered) {
      this.queue.push({ ...create, isUnknown: true });
      return { contactOf: email };
    }
    const created = await this.write(create);
    if (created?.status >= 400) return {};
    const contactId = created?.body?.id ?? (await this.read(lookupPath(email))).body;
    return contactId ? { contactId } : { contactOf: email };
  }

  async usablePromotion(contactId) {
    const { body } = await this.read(`/api/v3/promotion-assignments?contactId=${contactId}`);
    return (body ?? []).find(({ redeemed }) => !redeemed);
  }

  /** What a customer gets whose id is not known yet waits until it is. */
  async reward({ contactId = unknownContact, contactOf }, { firstName, definitionId, challengeId }) {
    const write = (operation) => this.write({ ...operation, contactOf });
    if (contactOf) await write(update(contactId, firstName));
    if (definitionId) await write(bonus({ key: this.newKey(), contactId, definitionId }));
    if (definitionId) await write(addition({ key: this.newKey(), contactId, definitionId }));
    if (challengeId) await write(checkpoint({ contactId, definitionId: challengeId }));
  }

  /** Sets balances as a point master does, and again when the service says that it failed. */
  async setBalances(list) {
    for (let round = 0; round < this.rounds; round++) {
      const sent = await this.write(balances(list));
      if (sent?.body?.id === undefined) return false;
      const { body } = await this.read(`/api/v3/point-accounts/balances/status/${sent.body.id}`);
      if (body?.status !== 'Failed') return true;
      await this.wait(this.pauseBefore(1));
    }
    return false;
  }

  /** What is there, or nothing; and whether the service said so. */
  async read(path) {
    try {
      return { isAnswered: true, body: await this.ask(path) };
    } catch (error) {
      if (error instanceof GaveUp) return { isAnswered: false, body: undefined };
      throw error;
    }
  }

  /** What is there, or nothing. Throws `GaveUp` when the service doesn't say. */
  async ask(path) {
    const { status, body } = await this.call({ method: 'GET', path });
    return status === 200 ? body : undefined;
  }

  /** Delivers a change now, or keeps it for later: behind what is waiting already, or until its customer is known. */
  async write(operation) {
    if (operation.contactOf) {
      this.queue.push(operation);
      return undefined;
    }
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
      await this.wait(this.fallbackPause);
      await this.elapse();
      await this.deliverRound();
    }
    return this.queue.isEmpty;
  }

  async deliverRound() {
    while (!this.queue.isEmpty) {
      const operation = this.queue.first;
      try {
        const isOfNobody = operation.contactOf && !(await this.nameContact(operation));
        const isThere = isOfNobody || (operation.isUnknown && (await this.tookEffect(operation)));
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
    if (operation.needsAccount && !(await this.nameAccount(operation))) return undefined;
    if (operation.look === 'checkpoints') operation.before ??= await this.checkpointsOf(operation);
    let asked = 0;
    for (let attempt = 0; attempt <= this.pauses.length; attempt++) {
      if (attempt > 0) {
        await this.wait(Math.max(asked, this.pauseBefore(attempt)));
        if (await this.tookEffect(operation)) return { status: 200, body: undefined };
      }
      const answer = await this.attempt(operation);
      if (answer !== undefined && !retryStatuses.has(answer.status)) return answer;
      asked = answer?.retryAfter ?? 0;
    }
    throw new GaveUp(operation.path);
  }

  pauseBefore(attempt) {
    const shortest = this.pauses[attempt - 1];
    return shortest + this.random() * shortest * 0.4;
  }

  /** Whether a call that adds without a key got through although its answer did not. Throws `GaveUp` when nobody says. */
  async tookEffect(operation) {
    if (!operation.look) return false;
    if (operation.look === 'contact') return (await this.ask(lookupPath(operation.email))) !== undefined;
    if (operation.look === 'points') return this.hasTransaction(operation);
    return (await this.checkpointsOf(operation)) > operation.before;
  }

  async hasTransaction({ reference, ...operation }) {
    const account = await this.accountOf(operation);
    if (!account) return false;
    const list = await this.ask(`/api/v3/point-transactions?id=${account.id}&sortBy=createdOn&count=50`);
    return (list?.items ?? []).some(({ description }) => description === reference);
  }

  async accountOf({ contactId, definitionId }) {
    const accounts = await this.ask(accountsPath(contactId));
    return (accounts?.items ?? []).find((one) => one.definitionId === definitionId);
  }

  /** Says which account an operation is about, once and for all; whether there is one. Throws `GaveUp` when nobody says. */
  async nameAccount(operation) {
    const account = await this.accountOf(operation);
    if (!account) return false;
    operation.text = JSON.stringify({ accountId: account.id, ...JSON.parse(operation.text) });
    operation.needsAccount = false;
    return true;
  }

  /** Says which contact an operation is about, once and for all; whether there is one. Throws `GaveUp` when nobody says. */
  async nameContact(operation) {
    const contactId = await this.ask(lookupPath(operation.contactOf));
    if (!contactId) return false;
    operation.path = operation.path.replace(unknownContact, contactId);
    operation.text = operation.text.replace(unknownContact, contactId);
    Object.assign(operation, { contactId, contactOf: undefined });
    return true;
  }

  async checkpointsOf({ contactId, definitionId }) {
    const challenges = await this.ask(`/api/v3/challenges?contactId=${contactId}&definitionId=${definitionId}`);
    return challenges?.items?.[0]?.completedCheckpoints ?? 0;
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
        ...(text !== undefined && { body: text }),
        signal: AbortSignal.timeout(this.timeout),
      });
      const received = await response.text();
      const body = received === '' ? undefined : JSON.parse(received);
      return { status: response.status, body, retryAfter: Number(response.headers.get('retry-after') ?? 0) * 1000 };
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

/** Stands for the id of a customer in what is kept until the service tells it. */
const unknownContact = '{contactId}';

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const accountsPath = (contactId) => `/api/v3/point-accounts?contactId=${contactId}`;

/** Chance for keys and pauses that follows from a text. */
function randomFrom(text) {
  let state = [...text].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16777619), 2166136261) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
