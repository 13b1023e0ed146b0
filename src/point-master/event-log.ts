/** What the master did and was told: kept for whoever asks, written down for whoever looks. */
import { startTimer, toTimestamp } from '../core/time/clock.ts';
import type { Instant } from '../core/time/clock.ts';
import { redactText } from './redact.ts';

/** A webhook that was read; `payload` without personal data unless that was asked for. */
export interface WebhookEntry {
  readonly event: 'webhook';
  readonly at: Instant;
  readonly id: string;
  readonly eventType: string;
  readonly tenant: string;
  /** Noted: it is not about points, there is nothing to apply. */
  readonly outcome: 'applied' | 'repeated' | 'contradicted' | 'noted';
  readonly signature: 'valid' | 'unchecked';
  readonly payload: unknown;
  /** What the account holds now. */
  readonly balance?: number;
}

/** A webhook that could not be vouched for or read. */
interface RefusedEntry {
  readonly event: 'refused';
  readonly at: Instant;
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

/** Balances that were sent to the service, or could not be. */
export interface SyncEntry {
  readonly event: 'sync';
  readonly at: Instant;
  readonly tenant: string;
  readonly items: number;
  readonly outcome: 'sent' | 'failed';
  readonly attempts: number;
  /** Of the last answer; null when there was none. */
  readonly status: number | null;
  /** What the service calls this sync. */
  readonly syncId: string | null;
  readonly message: string | null;
}

interface HistoryEntry {
  readonly event: 'history';
  readonly at: Instant;
  readonly contactId: string;
  readonly items: number;
}

interface AdjustEntry {
  readonly event: 'adjust';
  readonly at: Instant;
  readonly tenant: string;
  readonly contactId: string;
  readonly definitionId: number;
  readonly amount: number;
  readonly description: string;
  readonly balance: number;
}

interface FaultEntry {
  readonly event: 'fault';
  readonly at: Instant;
  readonly fault: string;
  readonly during: 'webhook' | 'history' | 'sync';
}

export type PointMasterLogEntry = WebhookEntry | RefusedEntry | SyncEntry | HistoryEntry | AdjustEntry | FaultEntry;

/** Older entries are forgotten; whoever wants all of them listens. */
const maxEntries = 10_000;

interface Wait {
  readonly atLeast: number;
  readonly timeout: number;
}

export class EventLog {
  readonly #entries: PointMasterLogEntry[] = [];
  readonly #listeners = new Set<(entry: PointMasterLogEntry) => void>();

  get entries(): readonly PointMasterLogEntry[] {
    return this.#entries;
  }

  add(entry: PointMasterLogEntry): void {
    if (this.#entries.push(entry) > maxEntries * 1.1) this.#entries.splice(0, this.#entries.length - maxEntries);
    for (const listener of this.#listeners) listener(entry);
  }

  clear(): void {
    this.#entries.length = 0;
  }

  subscribe(listener: (entry: PointMasterLogEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Done as soon as there are so many entries of a kind, or when so much real time (in ms) is over. */
  waitFor(isOne: (entry: PointMasterLogEntry) => boolean, { atLeast, timeout }: Wait): Promise<void> {
    let count = this.#entries.filter(isOne).length;
    if (count >= atLeast || timeout === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.subscribe((entry) => {
        if (isOne(entry) && ++count >= atLeast) end();
      });
      const callOff = startTimer(timeout, () => end());
      function end(): void {
        stop();
        callOff();
        resolve();
      }
    });
  }
}

/** An entry as one object, for a line of JSON. */
export const serializeEntry = (entry: PointMasterLogEntry): object => ({ ...entry, at: toTimestamp(entry.at) });

/** An entry as one line for people. */
export const formatEntry = (entry: PointMasterLogEntry): string =>
  printable(`${toTimestamp(entry.at)} ${describeEntry(entry)}`);

const maxLine = 1000;

/** What others wrote may hold what would steer a terminal. */
const printable = (line: string): string =>
  line
    .slice(0, maxLine)
    .replaceAll(
      /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

function describeEntry(entry: PointMasterLogEntry): string {
  switch (entry.event) {
    case 'webhook':
      return describeWebhook(entry);
    case 'refused':
      return `refused with ${entry.status} ${entry.reason}: ${entry.message}`;
    case 'sync':
      return describeSync(entry);
    case 'history':
      return `history of ${entry.contactId}: ${plural(entry.items, 'item')}`;
    case 'adjust':
      return `own adjustment ${describeChange(entry)} ("${entry.description}"), now ${entry.balance}`;
    case 'fault':
      return `fault "${entry.fault}" during a ${entry.during} call`;
  }
}

/** `loyalty.addPoints +25 for 5a0e…, definition 1 ("For the long wait", Manual): applied, now 540` */
function describeWebhook({ eventType, tenant, payload, outcome, balance, signature, id }: WebhookEntry): string {
  // A payload that was read is what its JSON was; its fields are looked at one by one.
  const fields = (typeof payload === 'object' && payload !== null ? payload : {}) as Readonly<Record<string, unknown>>;
  const { description, source, workflowName, reason } = fields;
  const why = [description && `"${String(description)}"`, source, workflowName, reason].filter(Boolean).map(String);
  const told = why.length > 0 ? ` (${why.join(', ')})` : '';
  const now = balance === undefined ? '' : `, now ${balance}`;
  const unsure = signature === 'valid' ? '' : ', signature not checked';
  return `${eventType}${toldSubject(fields)}${told}: ${outcomes[outcome]}${now} [event ${id}, tenant ${tenant}${unsure}]`;
}

function toldSubject({ contactId, amount, pointDefinitionId }: Readonly<Record<string, unknown>>): string {
  if (contactId === undefined) return '';
  if (typeof amount !== 'number') return ` of ${String(contactId)}`;
  return ` ${describeChange({ contactId: String(contactId), definitionId: Number(pointDefinitionId), amount })}`;
}

const outcomes: Readonly<Record<WebhookEntry['outcome'], string>> = {
  applied: 'applied',
  repeated: 'repeated, was applied before',
  contradicted: 'refused, the same event id was applied with another adjustment',
  noted: 'noted',
};

interface ToldChange {
  readonly contactId: string;
  readonly definitionId: number;
  readonly amount: number;
}

const describeChange = ({ contactId, definitionId, amount }: ToldChange): string =>
  `${amount < 0 ? '' : '+'}${amount} for ${contactId}, definition ${definitionId}`;

function describeSync({ items, tenant, outcome, attempts, status, message, syncId }: SyncEntry): string {
  const what = `${plural(items, 'balance')} of tenant ${tenant}`;
  const tries = attempts > 1 ? ` at attempt ${attempts}` : '';
  if (outcome === 'sent') return `sent ${what}${tries}${syncId === null ? '' : ` (${syncId})`}`;
  return `could not send ${what}${tries}: ${status ?? 'no answer'}${message === null ? '' : `, ${redactText(message)}`}`;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
