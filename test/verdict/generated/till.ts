/**
 * Plays a till that does everything correctly, as docs/verdict.md asks for it, or with one planted defect. Its queue is
 * on disk: it writes an operation down before it sends it, and has it again after its process has died.
 */
import { receiptOf } from '../../support/receipt.ts';
import type { Defect } from './defects.ts';
import type { Plan, Work } from './plan.ts';
import { hasCreatedContact, hasTakenEffect, isLeftFailed, isMissing, isOutOfOrder } from './signs.ts';
import type { Sign } from './signs.ts';
import type { Stagehand } from './stagehand.ts';
import type { Received, Sent, Transport } from './transport.ts';

interface Operation extends Sent {
  readonly kind: 'read' | 'idempotent' | 'keyed' | 'unkeyed' | 'once';
  /** Finds out whether it took effect; undefined when nobody says. */
  readonly look?: () => Promise<boolean | undefined>;
  /** Sends it under another key. */
  readonly rekeyed?: (key: string) => Operation;
  /** Has been sent, and nobody knows what became of it. */
  isUnknown?: boolean;
}

interface Coupon {
  readonly id: string;
  readonly redeemed: boolean;
}

const retried = new Set([429, 500, 502, 503, 504]);

/** Statuses by which a read is answered: found, not found, or several. */
const telling = new Set([200, 404, 409]);

/** After a read that was given up, a till takes a while before its next work: nobody could tell that from a retry. */
const restAfterRead = 60_000;

/** True when the caller has to retry, and cannot know what was done. */
const isFailure = (answer: Received | undefined): boolean =>
  answer === undefined || answer.status === 500 || answer.status === 504;

/** The process is killed. */
class Died extends Error {}

export interface TillOptions {
  readonly index: number;
  readonly plan: Plan;
  readonly stagehand: Stagehand;
  readonly connect: () => Transport;
  readonly random: () => number;
  readonly defect?: Defect | undefined;
  /** Told when a planted defect shows, and by what in the whole run it has an effect (default: always). */
  readonly exercise?: ((sign?: Sign) => void) | undefined;
}

/** Members whom no till serves otherwise. */
const members = ['oskar.nystrom@example.com', 'maja.holm@example.com', 'ingrid.wallin@example.com'];

const definition = '9b1d0c00-cccc-4000-8000-000000000001';
const contact = (number: number): string => `5a0e7c1e-0001-4000-8000-0000000000${String(number).padStart(2, '0')}`;

/** Two customers for each till, of whom the first has a challenge, and both have coupons. */
const customersOf = (index: number): readonly [string, string] =>
  (
    [
      [contact(1), contact(3)],
      [contact(2), contact(28)],
      [contact(6), contact(10)],
    ] as const
  )[index] ?? [contact(4), contact(12)];

export class Till {
  readonly #options: TillOptions;
  readonly #customers: readonly [string, string];
  #transport: Transport;
  #queue: Operation[] = [];
  #lastRound = 0;
  #drawn = 0;
  #mayDie = false;
  #hasGivenUpRead = false;
  /** A response to its operation has hung. */
  #hasHung = false;

  constructor(options: TillOptions) {
    this.#options = options;
    this.#customers = customersOf(options.index);
    this.#transport = options.connect();
  }

  async run(works: readonly Work[]): Promise<void> {
    for (const work of works) {
      await this.#sleep(work.rest + (this.#hasGivenUpRead ? restAfterRead : 0));
      this.#hasGivenUpRead = false;
      await this.#deliverIfDue();
      this.#mayDie = work.dies;
      try {
        await this.#do(work);
        if (work.dies) throw new Died();
      } catch (error) {
        if (!(error instanceof Died)) throw error;
        await this.#restart();
      }
    }
    this.#mayDie = false;
    for (let round = 0; round < 40 && this.#queue.length > 0; round++) {
      await this.#sleep(this.#options.plan.fallback);
      await this.#deliverIfDue();
    }
    this.#transport.kill();
  }

  async #restart(): Promise<void> {
    this.#mayDie = false;
    this.#transport.kill();
    await this.#sleep(5000 + this.#options.random() * 20_000);
    this.#transport = this.#options.connect();
    if (!this.#is('loses its queue on a restart')) return;
    const sent = this.#queue.filter(({ isUnknown }) => isUnknown);
    this.#queue = [];
    if (sent.length > 0) this.#options.exercise?.((requests) => sent.some((one) => isMissing(one)(requests)));
  }

  #is(defect: Defect): boolean {
    return this.#options.defect === defect;
  }

  /** True when it has this defect, which shows now, if it has an effect in the end. */
  #errs(defect: Defect, sign?: Sign): boolean {
    if (this.#options.defect !== defect) return false;
    this.#options.exercise?.(sign);
    return true;
  }

  #sleep(length: number): Promise<void> {
    return this.#options.stagehand.sleep(length);
  }

  #key(): string {
    this.#drawn += 1;
    return `till-${this.#options.index + 1}-${this.#drawn}`;
  }

  #date(): string {
    return new Date(Date.parse('2026-03-01T12:00:00Z') + this.#options.stagehand.now).toISOString();
  }

  // What it does with a customer.

  async #do({ kind, customer }: Work): Promise<void> {
    const id = this.#customers[customer] ?? this.#customers[0];
    switch (kind) {
      case 'visit':
        await this.#read(`/api/v3/contacts/${id}`);
        await this.#read(`/api/v3/point-accounts?contactId=${id}`);
        return;
      case 'address':
        await this.#write({
          kind: 'idempotent',
          method: 'PATCH',
          path: `/api/v3/contacts/${id}`,
          body: { city: `City ${this.#key()}` },
        });
        return;
      case 'consents':
        await this.#write({
          kind: 'idempotent',
          method: 'POST',
          path: `/api/v3/contacts/${id}`,
          body: { consents: [{ id: 'sms', value: this.#options.random() < 0.5, source: 'POS', comment: this.#key() }] },
        });
        return;
      case 'sale':
        await this.#read(`/api/v3/contacts/${id}`);
        await this.#write(this.#receipt(id));
        return;
      case 'saleWithCoupon':
        return this.#sellWithCoupon(id);
      case 'keyedBulk':
        await this.#write(this.#bulk(id, this.#key()));
        return;
      case 'bulk':
        await this.#write(this.#bulk(id));
        return;
      case 'transaction':
        return this.#addTransaction(id);
      case 'checkpoint':
        return this.#award(this.#customers[0]);
      case 'newContact':
        return this.#register();
      case 'order':
        await this.#write(this.#order(id));
        return;
      case 'assign':
        await this.#write({
          kind: 'idempotent',
          method: 'POST',
          path: `/api/v3/challenges/definitions/${definition}/assign?contactId=${id}`,
        });
        return;
      case 'correction':
        return this.#correct(id);
    }
  }

  #receipt(id: string, fields: object = {}, key = this.#key()): Operation {
    const price = 100 + Math.floor(this.#options.random() * 3);
    const all = { totalGrossPrice: price, createdDate: this.#date(), ...fields };
    const body = receiptOf(id, key, all);
    const rekeyed = (other: string): Operation => this.#receipt(id, all, other);
    return { kind: 'keyed', method: 'POST', path: '/api/v3/receipts', body, rekeyed };
  }

  async #sellWithCoupon(id: string): Promise<void> {
    const { body } =
      (await this.#read(`/api/v3/promotion-assignments?contactId=${id}&redemptionChannelType=POS`)) ?? {};
    const listed: readonly Coupon[] = Array.isArray(body) ? body : [];
    const isWaiting = ({ id: coupon }: Coupon): boolean => this.#queue.some(({ path }) => path.includes(coupon));
    const [first, next] = listed.filter((coupon) => !coupon.redeemed && !isWaiting(coupon));
    let coupon = first;
    if (first) {
      const answer = await this.#write(this.#redeem(first.id));
      if (answer?.status === 409 && next && this.#errs('redeems the next coupon after "already redeemed"')) {
        await this.#write(this.#redeem(next.id));
        coupon = next;
      }
    }
    await this.#write(this.#receipt(id, coupon && { usedPromotions: [{ couponId: coupon.id }] }));
  }

  #redeem(id: string): Operation {
    return {
      kind: 'once',
      method: 'POST',
      path: `/api/v3/promotions/codes/${id}/redeem`,
      body: { redemptionChannel: 'POS' },
    };
  }

  #bulk(id: string, key?: string, reference = this.#key()): Operation {
    const row = {
      contactId: id,
      definitionId: 1,
      amount: 20,
      timeStamp: '2026-03-01T11:00:00Z',
      source: 'Adjustment',
      description: reference,
    };
    const sent = { method: 'POST', path: '/api/v3/point-accounts/transactions', body: [row] };
    if (key === undefined) return { ...sent, kind: 'unkeyed', look: () => this.#hasPoints(id, reference) };
    const rekeyed = (other: string): Operation => this.#bulk(id, other, reference);
    return { ...sent, kind: 'keyed', headers: { 'idempotency-key': key }, rekeyed };
  }

  async #hasPoints(id: string, reference: string): Promise<boolean | undefined> {
    const accounts = await this.#read(`/api/v3/point-accounts?contactId=${id}`);
    if (!accounts) return undefined;
    const account = accounts.body.items.find(({ definitionId }: { definitionId: number }) => definitionId === 1);
    if (!account) return false;
    const list = await this.#read(`/api/v3/point-transactions?id=${account.id}&sortBy=createdOn&count=100`);
    return list?.body.items.some(({ description }: { description: string }) => description === reference);
  }

  async #addTransaction(id: string): Promise<void> {
    const accounts = await this.#read(`/api/v3/point-accounts?contactId=${id}`);
    const account = accounts?.body.items?.[0];
    if (account) await this.#write(this.#transaction(account.id));
  }

  #transaction(accountId: unknown, key = this.#key(), reference = key): Operation {
    const body = {
      accountId,
      transactionId: key,
      transactionType: 'Addition',
      amount: 5,
      description: `Welcome ${reference}`,
      source: 'Adjustment',
      transactionDate: '2026-03-01T11:00:00Z',
    };
    const rekeyed = (other: string): Operation => this.#transaction(accountId, other, reference);
    return { kind: 'keyed', method: 'POST', path: '/api/v3/point-transactions', body, rekeyed };
  }

  async #award(id: string): Promise<void> {
    const count = async (): Promise<number | undefined> => {
      const list = await this.#read(`/api/v3/challenges?contactId=${id}&definitionId=${definition}`);
      return list && (list.body.items?.[0]?.completedCheckpoints ?? 0);
    };
    // Work in the queue may hold a checkpoint of the same customer.
    const before = this.#queue.length > 0 ? undefined : await count();
    if (before === undefined) return;
    await this.#write({
      kind: 'unkeyed',
      method: 'POST',
      path: '/api/v3/challenges/checkpoints',
      body: [{ contactId: id, definitionId: definition, checkpointAmount: 1 }],
      look: async () => {
        const now = await count();
        return now === undefined ? undefined : now > before;
      },
    });
  }

  async #register(): Promise<void> {
    // A guest who is a member already must be found.
    const isMember = this.#is('takes a failed look for "not there"');
    const email = isMember ? members[this.#options.index] : `${this.#key()}@example.com`;
    const find = async (): Promise<boolean | undefined> => {
      const found = await this.#read(`/api/v3/contacts/id?email=${email}`);
      return found && found.status !== 404;
    };
    const body = { firstName: 'Nils', lastName: 'Ny', email, ...(isMember && { contactType: 'Contact' }) };
    const creation: Operation = { kind: 'unkeyed', method: 'POST', path: '/api/v3/contacts', body, look: find };
    const isThere = await find();
    if (isThere) return;
    if (isThere === undefined && !this.#errs('takes a failed look for "not there"', hasCreatedContact(creation)))
      return;
    await this.#write(creation);
  }

  #order(id: string): Operation {
    const body = {
      contact: { matchKey: id, matchKeyType: 'contactId' },
      orderNumber: this.#key(),
      orderStatus: 'OrderConfirmed',
      paymentStatus: 'Pending',
      createdDate: this.#date(),
      storeId: '900',
      currency: 'SEK',
      totalGrossPrice: 499,
      items: [{ sku: '10442-M', quantity: 1, articleName: 'Linen shirt', grossPaidPrice: 499 }],
    };
    return { kind: 'unkeyed', method: 'POST', path: '/orders', body };
  }

  /** Sends a receipt that lacks its store, and what it is told to send instead. */
  async #correct(id: string): Promise<void> {
    const key = this.#key();
    // Built once: another date would be another content.
    const { rekeyed: _, ...wrong } = this.#receipt(id, { storeExternalId: undefined }, key);
    const answer = await this.#write(wrong);
    if (answer?.status !== 400) return;
    if (this.#errs('repeats a 400 unchanged')) {
      await this.#sleep(5000);
      await this.#write(wrong);
    }
    await this.#write(this.#receipt(id, {}, key));
  }

  // How it sends.

  /** What the service says; nothing when it cannot be asked. */
  async #read(path: string): Promise<Received | undefined> {
    const mayDie = this.#mayDie;
    this.#mayDie = false;
    const answer = await this.#call({ kind: 'read', method: 'GET', path });
    this.#mayDie = mayDie;
    if (answer === 'given up' || !telling.has(answer.status)) {
      this.#hasGivenUpRead = true;
      return undefined;
    }
    // While other work waits, what it looks for may wait there too.
    const { plan } = this.#options;
    const isTelling = plan.tills === 1 || plan.identity !== 'none';
    if (answer.status === 404 && this.#queue.length === 0 && this.#errs('repeats a 404', () => isTelling)) {
      for (let i = 0; i < 3; i++) {
        await this.#sleep(1000);
        await this.#transport.exchange({ method: 'GET', path });
      }
    }
    return answer;
  }

  /** Delivers an operation now, or keeps it behind what is waiting already. */
  async #write(operation: Operation): Promise<Received | undefined> {
    // Only a till that tries everything at once has several operations in its queue that the service knows of.
    const isHeldBack = !this.#is('delivers the newest first');
    if (this.#queue.length > 0 && isHeldBack) {
      this.#queue.push(operation);
      return undefined;
    }
    this.#queue.push(operation);
    const answer = await this.#call(operation);
    if (answer === 'given up') {
      operation.isUnknown = true;
      this.#lastRound = this.#options.stagehand.now;
      if (this.#errs('has no fallback', isMissing(operation))) this.#remove(operation);
      return undefined;
    }
    this.#remove(operation);
    return answer;
  }

  #remove(operation: Operation): void {
    this.#queue = this.#queue.filter((one) => one !== operation);
  }

  async #deliverIfDue(): Promise<void> {
    const { stagehand, plan } = this.#options;
    if (this.#queue.length === 0 || stagehand.now - this.#lastRound < plan.fallback) return;
    if (this.#is('delivers the newest first')) this.#turnQueue();
    while (this.#queue.length > 0) {
      const [operation] = this.#queue;
      if (!operation || !(await this.#deliver(operation))) break;
      this.#queue.shift();
    }
    this.#lastRound = stagehand.now;
  }

  #turnQueue(): void {
    const begun = this.#queue.filter(({ path, isUnknown }) => path === '/api/v3/receipts' && isUnknown);
    this.#queue.reverse();
    if (begun.length > 1) this.#options.exercise?.(isOutOfOrder(begun));
  }

  /** Sends what was kept; false when it must wait longer. */
  async #deliver(kept: Operation): Promise<boolean> {
    const wasSent = kept.isUnknown === true;
    const isRekeyed = wasSent && kept.rekeyed && this.#errs('delivers its queue under new keys', isLeftFailed(kept));
    const operation = isRekeyed ? (kept.rekeyed?.(this.#key()) ?? kept) : kept;
    if (wasSent && kept.look && !this.#is('repeats blindly what has no key')) {
      const isThere = await kept.look();
      if (isThere === undefined) return false;
      if (isThere) return true;
    }
    kept.isUnknown = true;
    const answer = await this.#call(operation);
    if (answer === 'given up') return false;
    if (answer.status < 300 && kept.kind === 'keyed' && this.#errs('delivers its queue twice')) {
      await this.#sleep(2000);
      await this.#transport.exchange(operation);
    }
    return true;
  }

  /** Tries until there is an answer for good, as often as it declares. */
  async #call(operation: Operation): Promise<Received | 'given up'> {
    const { plan } = this.#options;
    const isRead = operation.kind === 'read';
    const extra = this.#is('tries more often than declared') ? 2 : 0;
    let [isDoubtful, hasHung] = [false, false];
    let now: Sent & Pick<Operation, 'rekeyed'> = operation;
    let answer: Received | undefined;
    for (let attempt = 0; attempt <= plan.pauses.length + extra; attempt++) {
      if (attempt > 0) {
        this.#hasHung = hasHung;
        await this.#pause(attempt, { answer, operation });
        const seen = await this.#seen(operation, answer);
        if (seen !== undefined) return seen;
        now = this.#spoiled(now, operation, { attempt, isDoubtful });
      }
      // On a clock that is moved, a pause after a response that hung seems as long as both.
      if (attempt > plan.pauses.length && !hasHung) this.#options.exercise?.();
      operation.isUnknown = true;
      const begun = this.#options.stagehand.now;
      answer = await this.#send(now, operation);
      hasHung ||= answer === undefined && this.#options.stagehand.now > begun;
      if (answer !== undefined && !retried.has(answer.status)) return answer;
      isDoubtful ||= isFailure(answer);
      if (this.#gives(operation, answer)) return { status: 418, body: undefined, retryAfter: 0 };
      if (this.#mayDie && !isRead) {
        this.#lastRound = this.#options.stagehand.now;
        throw new Died();
      }
    }
    return 'given up';
  }

  /** What a look before a repeat shows: done, given up since nobody says, or nothing that speaks against the repeat. */
  async #seen({ look, path }: Operation, answer?: Received): Promise<Received | 'given up' | undefined> {
    if (!look) return undefined;
    if (this.#is('repeats blindly what has no key')) {
      // After 502, 503 and 429 nothing was done, and no e-mail address is there twice.
      if (isFailure(answer) && path !== '/api/v3/contacts') this.#options.exercise?.();
      return undefined;
    }
    const isThere = await look();
    // The service refuses a second contact with the same keys.
    const mayDouble = isFailure(answer) && path !== '/api/v3/contacts';
    if (isThere === undefined)
      return this.#errs('takes a failed look for "not there"', () => mayDouble) ? undefined : 'given up';
    return isThere ? { status: 200, body: undefined, retryAfter: 0 } : undefined;
  }

  async #pause(
    attempt: number,
    { answer, operation }: { answer: Received | undefined; operation: Operation },
  ): Promise<void> {
    const { plan, random } = this.#options;
    const shortest = plan.pauses[Math.min(attempt, plan.pauses.length) - 1] ?? 0;
    const asked = answer?.retryAfter ?? 0;
    if (asked > shortest * 1.5 && this.#is('ignores Retry-After')) return this.#sleepBadly(shortest);
    if (plan.declares.pauses && !operation.look && this.#is('pauses too briefly'))
      return this.#sleepBadly(shortest / 3);
    await this.#sleep(Math.max(asked, shortest) * (1 + random() * 0.2));
  }

  #sleepBadly(length: number): Promise<void> {
    if (!this.#hasHung) this.#options.exercise?.();
    return this.#sleep(length);
  }

  async #send(sent: Sent, { kind }: Operation): Promise<Received | undefined> {
    const { exchange } = this.#transport;
    // Two programs that look alike may have sent each of them once, and to set the same twice changes nothing.
    const isTelling = kind === 'keyed' || (kind !== 'idempotent' && this.#options.plan.identity === 'declared');
    if (kind !== 'read' && this.#errs('sends every write twice at once', () => isTelling)) {
      const [answer] = await Promise.all([exchange(sent), exchange(sent)]);
      return answer;
    }
    const answer = await exchange(sent);
    if (answer && answer.status < 300 && kind === 'keyed' && this.#errs('repeats what succeeded')) {
      await this.#sleep(1000);
      return exchange(sent);
    }
    return answer;
  }

  /** True when it stops too early, by its defect. */
  #gives(operation: Operation, answer: Received | undefined): boolean {
    if (operation.kind === 'read') return this.#errs('does not repeat reads', isLeftFailed(operation));
    if (answer === undefined) return this.#errs('drops a write without a response', isMissing(operation));
    return isFailure(answer) && this.#errs('drops a write after 500 and 504', isMissing(operation));
  }

  /** The request as its next attempt sends it: the same, unless that is its defect. */
  #spoiled<T extends Sent & Pick<Operation, 'rekeyed'>>(
    sent: T,
    { kind, rekeyed }: Operation,
    { attempt, isDoubtful }: { readonly attempt: number; readonly isDoubtful: boolean },
  ): T | Operation {
    if (rekeyed && this.#is('draws a new key for each attempt')) {
      const next = rekeyed(this.#key());
      // After 429, 502 and 503 nothing was done, so that another key changes nothing.
      this.#options.exercise?.((requests) => isDoubtful && hasTakenEffect(next)(requests));
      return next;
    }
    const isReceipt = sent.path === '/api/v3/receipts';
    if (kind !== 'keyed' || !isReceipt) return sent;
    const body = sent.body as { contact: object };
    if (this.#errs('changes the content of each attempt'))
      return { ...sent, body: { ...body, totalGrossPrice: 500 + attempt } };
    if (this.#errs('dates each attempt anew')) {
      return { ...sent, body: { ...body, createdDate: `2026-03-01T12:00:0${attempt % 10}Z` } };
    }
    if (this.#errs('books the repeat on another customer')) {
      return { ...sent, body: { ...body, contact: { ...body.contact, matchKey: contact(20) } } };
    }
    return sent;
  }
}
