/** Keeps the points that the master owns: each balance, its transactions, and the total that the service last received. */
import type { Instant } from '../core/time/clock.ts';

/** Records one change of an account. */
export interface LedgerEntry {
  readonly transactionDate: Instant;
  readonly amount: number;
  readonly description: string;
  /** Names the event that caused the change; an adjustment of the master itself has none. */
  readonly eventId: string | undefined;
}

/** Holds a total as it was sent to the service. */
interface SyncedTotal {
  readonly amount: number;
  readonly at: Instant;
}

export interface LedgerAccount {
  readonly tenant: string;
  readonly contactId: string;
  readonly definitionId: number;
  readonly balance: number;
  readonly entries: readonly LedgerEntry[];
  /** Holds the total that was last sent to the service; undefined before the first sync. */
  readonly lastSync: SyncedTotal | undefined;
}

/** Sets the balance that an account starts with. */
export interface OpeningBalance {
  readonly contactId: string;
  readonly definitionId: number;
  readonly amount: number;
  readonly description?: string | undefined;
  /** Names the tenant (default: every tenant). */
  readonly tenant?: string | undefined;
}

/** Names one account. */
interface AccountName {
  readonly tenant: string;
  readonly contactId: string;
  readonly definitionId: number;
}

interface AccountChange extends AccountName {
  readonly amount: number;
  readonly description: string;
  readonly at: Instant;
}

type Account = { -readonly [Field in keyof LedgerAccount]: LedgerAccount[Field] } & { readonly entries: LedgerEntry[] };

/** Holds the accounts and applied events of one tenant. */
interface Book {
  readonly accounts: Map<string, Account>;
  readonly byContact: Map<string, Account[]>;
  /** Holds by event id the account that it changed, and by how much. */
  readonly applied: Map<string, { readonly account: Account; readonly amount: number }>;
  readonly unsynced: Set<Account>;
}

/** Says how an event was handled: its first arrival changes the account, later ones do not. */
export type ApplyResult = 'applied' | 'repeated' | 'contradicted';

/** Describes one change of an account as a file keeps it, or a reset of one tenant or of all. */
export type StoredChange =
  | { readonly reset: string | null }
  | (AccountName &
      Omit<LedgerEntry, 'transactionDate' | 'eventId'> & {
        readonly at: Instant;
        readonly eventId?: string | undefined;
      });

/** Keeps the changes of a ledger. */
export interface LedgerStore {
  /** Holds the changes that were kept before, in order. */
  readonly changes: readonly StoredChange[];
  readonly append: (change: StoredChange) => void;
}

interface LedgerOptions {
  /** Keeps the changes (default: nothing does). */
  readonly store?: LedgerStore | undefined;
  readonly opening: (tenant: string) => readonly OpeningBalance[];
  readonly now: (tenant: string) => Instant;
}

const decimals = 6;

/** Rounds a sum, because adding decimals in binary leaves a small error. */
const roundSum = (points: number): number => Number(points.toFixed(decimals));

export class Ledger {
  readonly #options: LedgerOptions;
  readonly #books = new Map<string, Book>();

  constructor(options: LedgerOptions) {
    this.#options = options;
    for (const change of options.store?.changes ?? []) this.#restore(change);
  }

  get tenants(): readonly string[] {
    return [...this.#books.keys()];
  }

  /** Creates a tenant's accounts from its opening balances, which the next sync sends. */
  open(tenant: string): void {
    this.#bookOf(tenant);
  }

  /** Applies an event once, however often it arrives; a later arrival with other content changes nothing. */
  apply(eventId: string, change: AccountChange): ApplyResult {
    const book = this.#bookOf(change.tenant);
    const before = book.applied.get(eventId);
    if (!before) {
      book.applied.set(eventId, { account: this.#record(book, change, eventId), amount: change.amount });
      return 'applied';
    }
    const { account, amount } = before;
    const isSame =
      account.contactId === change.contactId &&
      account.definitionId === change.definitionId &&
      amount === change.amount;
    return isSame ? 'repeated' : 'contradicted';
  }

  /** Changes an account without an event, for example for a purchase at the till. */
  adjust(change: AccountChange): LedgerAccount {
    return this.#record(this.#bookOf(change.tenant), change);
  }

  account({ tenant, contactId, definitionId }: AccountName): LedgerAccount | undefined {
    return this.#books.get(tenant)?.accounts.get(keyOf(contactId, definitionId));
  }

  /** Returns the accounts of one tenant or of all, of one contact or of all. */
  accounts(
    of: { readonly tenant?: string | undefined; readonly contactId?: string | undefined } = {},
  ): LedgerAccount[] {
    const books = of.tenant === undefined ? [...this.#books.values()] : this.#existingBooks(of.tenant);
    const { contactId } = of;
    if (contactId === undefined) return books.flatMap(({ accounts }) => [...accounts.values()]);
    return books.flatMap(({ byContact }) => byContact.get(contactId) ?? []);
  }

  /** Returns the accounts that changed since the last sync and clears their marks; a later change marks them again. */
  takeUnsynced(tenant: string): LedgerAccount[] {
    const { unsynced } = this.#bookOf(tenant);
    const taken = [...unsynced];
    unsynced.clear();
    return taken;
  }

  /** Marks accounts whose balances did not reach the service, so that the next sync sends them. */
  markUnsynced(accounts: readonly LedgerAccount[]): void {
    for (const account of accounts.map((given) => this.#stored(given))) {
      if (account) this.#bookOf(account.tenant).unsynced.add(account);
    }
  }

  markSynced(given: LedgerAccount, total: SyncedTotal): void {
    const account = this.#stored(given);
    if (account) account.lastSync = total;
  }

  /** Forgets a tenant, or all of them: accounts, and which events were applied. */
  reset(tenant?: string): void {
    this.#forget(tenant);
    this.#options.store?.append({ reset: tenant ?? null });
  }

  #forget(tenant: string | undefined): void {
    if (tenant === undefined) this.#books.clear();
    else this.#books.delete(tenant);
  }

  /** Takes up a change that was kept. A tenant with any is not opened again. */
  #restore(change: StoredChange): void {
    if ('reset' in change) return this.#forget(change.reset ?? undefined);
    const { eventId, ...account } = change;
    const book = this.#books.get(change.tenant) ?? this.#addBook(change.tenant);
    const changed = this.#change(book, account, eventId);
    if (eventId !== undefined) book.applied.set(eventId, { account: changed, amount: change.amount });
    return undefined;
  }

  /** Returns the stored account, unless a reset removed it in the meantime. */
  #stored({ tenant, contactId, definitionId }: LedgerAccount): Account | undefined {
    return this.#books.get(tenant)?.accounts.get(keyOf(contactId, definitionId));
  }

  /** Returns the book of a tenant without creating an empty one; opening balances create it. */
  #existingBooks(tenant: string): Book[] {
    const known = this.#books.get(tenant);
    if (known) return [known];
    const opening = this.#options.opening(tenant);
    return opening.length > 0 ? [this.#createBook(tenant, opening)] : [];
  }

  /** Returns a tenant's book, and creates it with the opening balances on first use. */
  #bookOf(tenant: string): Book {
    return this.#books.get(tenant) ?? this.#createBook(tenant, this.#options.opening(tenant));
  }

  #createBook(tenant: string, opening: readonly OpeningBalance[]): Book {
    const book = this.#addBook(tenant);
    const at = this.#options.now(tenant);
    for (const { description = 'Opening balance', ...balance } of opening) {
      this.#record(book, { ...balance, tenant, description, at });
    }
    return book;
  }

  #addBook(tenant: string): Book {
    const book: Book = { accounts: new Map(), byContact: new Map(), applied: new Map(), unsynced: new Set() };
    this.#books.set(tenant, book);
    return book;
  }

  /** Keeps a change, and makes it: what can't be kept is not made. */
  #record(book: Book, change: AccountChange, eventId?: string): Account {
    const { tenant, contactId, definitionId, amount, description, at } = change;
    const kept = { tenant, contactId, definitionId, amount, description, at };
    this.#options.store?.append(eventId === undefined ? kept : { ...kept, eventId });
    return this.#change(book, change, eventId);
  }

  #change(book: Book, { amount, description, at, ...name }: AccountChange, eventId?: string): Account {
    const account = getOrCreateAccount(book, name);
    account.entries.push({ transactionDate: at, amount, description, eventId });
    account.balance = roundSum(account.balance + amount);
    book.unsynced.add(account);
    return account;
  }
}

const keyOf = (contactId: string, definitionId: number): string => `${contactId}/${definitionId}`;

function getOrCreateAccount({ accounts, byContact }: Book, { tenant, contactId, definitionId }: AccountName): Account {
  const key = keyOf(contactId, definitionId);
  const known = accounts.get(key);
  if (known) return known;
  const account = { tenant, contactId, definitionId, balance: 0, entries: [], lastSync: undefined };
  accounts.set(key, account);
  byContact.set(contactId, [...(byContact.get(contactId) ?? []), account]);
  return account;
}
