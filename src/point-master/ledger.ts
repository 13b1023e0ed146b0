/** The points that the master owns: what every account holds, how it came to that, and what the service knows of it. */
import type { Instant } from '../core/time/clock.ts';

/** One change of an account. */
export interface LedgerEntry {
  readonly transactionDate: Instant;
  readonly amount: number;
  readonly description: string;
  /** The event that brought it; what the master does on its own has none. */
  readonly eventId: string | undefined;
}

/** A total as it was told to the service. */
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
  /** What the service was last told; nothing before the first sync. */
  readonly told: SyncedTotal | undefined;
}

/** What an account starts with. */
export interface OpeningBalance {
  readonly contactId: string;
  readonly definitionId: number;
  readonly amount: number;
  readonly description?: string | undefined;
  /** Any tenant's unless given. */
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

/** What one tenant of the service has. */
interface Book {
  readonly accounts: Map<string, Account>;
  readonly byContact: Map<string, Account[]>;
  /** The account that each event changed, and by how much. */
  readonly applied: Map<string, { readonly account: Account; readonly amount: number }>;
  readonly unsynced: Set<Account>;
}

/** What became of an event: its first arrival changes the account, later ones don't. */
export type ApplyResult = 'applied' | 'repeated' | 'contradicted';

interface LedgerOptions {
  readonly opening: (tenant: string) => readonly OpeningBalance[];
  readonly now: (tenant: string) => Instant;
}

const decimals = 6;

/** Sums of decimals come out a hair beside what a person would get. */
const exact = (points: number): number => Number(points.toFixed(decimals));

export class Ledger {
  readonly #options: LedgerOptions;
  readonly #books = new Map<string, Book>();

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  get tenants(): readonly string[] {
    return [...this.#books.keys()];
  }

  /** Begins with a tenant's opening balances, which the service is to be told. */
  open(tenant: string): void {
    this.#bookOf(tenant);
  }

  /** Applies an event once, however often it comes; one that comes back with something else to say is left alone. */
  apply(eventId: string, change: AccountChange): ApplyResult {
    const book = this.#bookOf(change.tenant);
    const before = book.applied.get(eventId);
    if (!before) {
      book.applied.set(eventId, { account: this.#change(book, change, eventId), amount: change.amount });
      return 'applied';
    }
    const { account, amount } = before;
    const isSame =
      account.contactId === change.contactId &&
      account.definitionId === change.definitionId &&
      amount === change.amount;
    return isSame ? 'repeated' : 'contradicted';
  }

  /** Changes an account for a reason of the master's own, such as a purchase at the till. */
  adjust(change: AccountChange): LedgerAccount {
    return this.#change(this.#bookOf(change.tenant), change);
  }

  account({ tenant, contactId, definitionId }: AccountName): LedgerAccount | undefined {
    return this.#books.get(tenant)?.accounts.get(keyOf(contactId, definitionId));
  }

  /** Accounts of one tenant or of all, of one contact or of all. */
  accounts(
    of: { readonly tenant?: string | undefined; readonly contactId?: string | undefined } = {},
  ): LedgerAccount[] {
    const books = of.tenant === undefined ? [...this.#books.values()] : this.#begun(of.tenant);
    const { contactId } = of;
    if (contactId === undefined) return books.flatMap(({ accounts }) => [...accounts.values()]);
    return books.flatMap(({ byContact }) => byContact.get(contactId) ?? []);
  }

  /** Accounts of a tenant whose balance changed since the service was told; a change from now on counts anew. */
  takeUnsynced(tenant: string): LedgerAccount[] {
    const { unsynced } = this.#bookOf(tenant);
    const taken = [...unsynced];
    unsynced.clear();
    return taken;
  }

  /** The service could not be told: another sync has to. */
  markUnsynced(accounts: readonly LedgerAccount[]): void {
    for (const account of accounts.map((given) => this.#own(given))) {
      if (account) this.#bookOf(account.tenant).unsynced.add(account);
    }
  }

  markSynced(given: LedgerAccount, told: SyncedTotal): void {
    const account = this.#own(given);
    if (account) account.told = told;
  }

  /** Forgets a tenant, or all of them: accounts, and which events were applied. */
  reset(tenant?: string): void {
    if (tenant === undefined) this.#books.clear();
    else this.#books.delete(tenant);
  }

  /** The account itself, unless it was forgotten in the meantime. */
  #own({ tenant, contactId, definitionId }: LedgerAccount): Account | undefined {
    return this.#books.get(tenant)?.accounts.get(keyOf(contactId, definitionId));
  }

  /** Whoever asks for a tenant that was never heard of makes no book of it, unless it has balances to open with. */
  #begun(tenant: string): Book[] {
    const known = this.#books.get(tenant);
    if (known) return [known];
    const opening = this.#options.opening(tenant);
    return opening.length > 0 ? [this.#begin(tenant, opening)] : [];
  }

  /** A tenant's book, made with its opening balances when the tenant is first heard of. */
  #bookOf(tenant: string): Book {
    return this.#books.get(tenant) ?? this.#begin(tenant, this.#options.opening(tenant));
  }

  #begin(tenant: string, opening: readonly OpeningBalance[]): Book {
    const book: Book = { accounts: new Map(), byContact: new Map(), applied: new Map(), unsynced: new Set() };
    this.#books.set(tenant, book);
    const at = this.#options.now(tenant);
    for (const { description = 'Opening balance', ...balance } of opening) {
      this.#change(book, { ...balance, tenant, description, at });
    }
    return book;
  }

  #change(book: Book, { amount, description, at, ...name }: AccountChange, eventId?: string): Account {
    const account = obtain(book, name);
    account.entries.push({ transactionDate: at, amount, description, eventId });
    account.balance = exact(account.balance + amount);
    book.unsynced.add(account);
    return account;
  }
}

const keyOf = (contactId: string, definitionId: number): string => `${contactId}/${definitionId}`;

function obtain({ accounts, byContact }: Book, { tenant, contactId, definitionId }: AccountName): Account {
  const key = keyOf(contactId, definitionId);
  const known = accounts.get(key);
  if (known) return known;
  const account = { tenant, contactId, definitionId, balance: 0, entries: [], told: undefined };
  accounts.set(key, account);
  byContact.set(contactId, [...(byContact.get(contactId) ?? []), account]);
  return account;
}
