/**
 * Plays a till that does everything correctly, as docs/verdict.md asks for it, or with one planted defect. Its queue is
 * on disk: it writes an operation down before it sends it, and has it again after its process has died.
 */
import { receiptOf } from '../../support/receipt.ts';
import type { Defect } from './defects.ts';
import type { Plan, Work } from './plan.ts';
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

const retried = new Set([429, 500, 502, 503, 504]);

/** The process is killed. */
class Died extends Error {}

export interface TillOptions {
  readonly index: number;
  readonly plan: Plan;
  readonly stagehand: Stagehand;
  readonly connect: () => Transport;
  readonly random: () => number;
  readonly defect?: Defect | undefined;
  /** Told when a planted defect has shown. */
  readonly exercise?: (() => void) | undefined;
}

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

  constructor(options: TillOptions) {
    this.#options = options;
    this.#customers = customersOf(options.index);
    this.#transport = options.connect();
  }

  async run(works: readonly Work[]): Promise<void> {
    for (const work of works) {
      await this.#sleep(work.rest);
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
    if (this.#queue.length > 0 && this.#is('loses its queue on a restart')) {
      this.#queue = [];
      this.#options.exercise?.();
    }
  }

  #is(defect: Defect): boolean {
    return this.#options.defect === defect;
  }

  /** True when it has this defect, which shows now. */
  #errs(defect: Defect): boolean {
    if (this.#options.defect !== defect) return false;
    this.#options.exercise?.();
    return true;
  }

  #sleep(length: number): Promise<void> {
    return this.#options.stagehand.sleep(length);
  }

  #key(): string {
    this.#drawn += 1;
    return `till-${this.#options.index + 1}-${this.#drawn}`;
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
    const body = receiptOf(id, key, { totalGrossPrice: price, ...fields });
    return {
      kind: 'keyed',
      method: 'POST',
      path: '/api/v3/receipts',
      body,
      rekeyed: (other) => this.#receipt(id, { totalGrossPrice: price, ...fields }, other),
    };
  }

  async #sellWithCoupon(id: string): Promise<void> {
    const { body } =
      (await this.#read(`/api/v3/promotion-assignments?contactId=${id}&redemptionChannelType=POS`)) ?? {};
    const free = (Array.isArray(body) ? body : []).filter(({ redeemed }: { redeemed: boolean }) => !redeemed);
    const [coupon, next] = free as { id: string }[];
    if (coupon) {
      const answer = await this.#write(this.#redeem(coupon.id));
      if (answer?.status === 409 && next && this.#errs('redeems the next coupon after "already redeemed"')) {
        await this.#write(this.#redeem(next.id));
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
    const email = `${this.#key()}@example.com`;
    const find = async (): Promise<boolean | undefined> => {
      const found = await this.#read(`/api/v3/contacts/id?email=${email}`);
      return found && found.status === 200;
    };
    const isThere = await find();
    if (isThere || (isThere === undefined && !this.#errs('takes a failed look for "not there"'))) return;
    await this.#write({
      kind: 'unkeyed',
      method: 'POST',
      path: '/api/v3/contacts',
      body: { firstName: 'Nils', lastName: 'Ny', email },
      look: find,
    });
  }

  #order(id: string): Operation {
    const body = {
      contact: { matchKey: id, matchKeyType: 'contactId' },
      orderNumber: this.#key(),
      orderStatus: 'OrderConfirmed',
      paymentStatus: 'Pending',
      createdDate: '2026-03-01T10:00:00+01:00',
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
    const wrong = this.#receipt(id, { storeExternalId: undefined }, key);
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
    if (answer === 'given up') return undefined;
    if (answer.status === 404 && this.#errs('repeats a 404')) {
      for (let i = 0; i < 3; i++) {
        await this.#sleep(1000);
        await this.#transport.exchange({ method: 'GET', path });
      }
    }
    return answer.status === 200 || answer.status === 404 ? answer : undefined;
  }

  /** Delivers an operation now, or keeps it behind what is waiting already. */
  async #write(operation: Operation): Promise<Received | undefined> {
    if (this.#queue.length > 0) {
      this.#queue.push(operation);
      return undefined;
    }
    this.#queue.push(operation);
    const answer = await this.#call(operation);
    if (answer === 'given up') {
      operation.isUnknown = true;
      this.#lastRound = this.#options.stagehand.now;
      if (this.#errs('has no fallback')) this.#queue.shift();
      return undefined;
    }
    this.#queue.shift();
    return answer;
  }

  async #deliverIfDue(): Promise<void> {
    const { stagehand, plan } = this.#options;
    if (this.#queue.length === 0 || stagehand.now - this.#lastRound < plan.fallback) return;
    const sent = new Set<string>();
    if (this.#is('delivers the newest first')) this.#turnQueue();
    while (this.#queue.length > 0) {
      const [operation] = this.#queue;
      if (!operation || !(await this.#deliver(operation))) break;
      this.#queue.shift();
      sent.add(operation.path);
    }
    this.#lastRound = stagehand.now;
  }

  #turnQueue(): void {
    const receipts = this.#queue.filter(({ path }) => path === '/api/v3/receipts');
    const began = receipts.filter(({ isUnknown }) => isUnknown);
    if (receipts.length < 2 || began.length === 0) return;
    this.#options.exercise?.();
    this.#queue.reverse();
  }

  /** Sends what was kept; false when it must wait longer. */
  async #deliver(kept: Operation): Promise<boolean> {
    const wasSent = kept.isUnknown === true;
    const operation =
      wasSent && kept.rekeyed && this.#errs('delivers its queue under new keys') ? kept.rekeyed(this.#key()) : kept;
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
    let now: Sent & Pick<Operation, 'rekeyed'> = operation;
    let answer: Received | undefined;
    for (let attempt = 0; attempt <= plan.pauses.length + extra; attempt++) {
      if (attempt > plan.pauses.length) this.#options.exercise?.();
      if (attempt > 0) {
        await this.#pause(attempt, { answer, operation });
        const seen = await this.#seen(operation, answer);
        if (seen !== undefined) return seen;
        now = this.#spoiled(now, operation, attempt);
      }
      operation.isUnknown = true;
      answer = await this.#send(now, operation);
      if (answer !== undefined && !retried.has(answer.status)) return answer;
      if (this.#gives(isRead, answer)) return { status: 418, body: undefined, retryAfter: 0 };
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
      const isDoubtful = answer === undefined || answer.status === 500 || answer.status === 504;
      if (isDoubtful && path !== '/api/v3/contacts') this.#options.exercise?.();
      return undefined;
    }
    const isThere = await look();
    if (isThere === undefined) return this.#errs('takes a failed look for "not there"') ? undefined : 'given up';
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
    this.#options.exercise?.();
    return this.#sleep(length);
  }

  async #send(sent: Sent, { kind }: Operation): Promise<Received | undefined> {
    const { exchange } = this.#transport;
    if (kind !== 'read' && this.#errs('sends every write twice at once')) {
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
  #gives(isRead: boolean, answer: Received | undefined): boolean {
    const isFailure = answer === undefined || answer.status === 500 || answer.status === 504;
    if (isRead) return this.#is('does not repeat reads') && (!isFailure || this.#errs('does not repeat reads'));
    if (answer === undefined) return this.#errs('drops a write without a response');
    return isFailure && this.#errs('drops a write after 500 and 504');
  }

  /** The request as its next attempt sends it: the same, unless that is its defect. */
  #spoiled<T extends Sent & Pick<Operation, 'rekeyed'>>(
    sent: T,
    { kind, rekeyed }: Operation,
    attempt: number,
  ): T | Operation {
    if (rekeyed && this.#errs('draws a new key for each attempt')) return rekeyed(this.#key());
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
