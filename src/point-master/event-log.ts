/** Records what the point master did and received, for control requests and for the terminal. */
import { startTimer, toTimestamp } from '../core/time/clock.ts';
import type { Instant } from '../core/time/clock.ts';
import { redactText } from './redact.ts';

/** Records a webhook that was read; `payload` has no personal data unless the options show it. */
export interface WebhookEntry {
  readonly event: 'webhook';
  readonly at: Instant;
  readonly id: string;
  readonly eventType: string;
  readonly tenant: string;
  /** Says `noted` when the event is not about points, so there is nothing to apply. */
  readonly outcome: 'applied' | 'repeated' | 'contradicted' | 'noted';
  readonly signature: 'valid' | 'unchecked';
  readonly payload: unknown;
  /** Holds the balance of the account after the event. */
  readonly balance?: number;
}

/** Records a webhook that could not be verified or read. */
interface RejectedEntry {
  readonly event: 'rejected';
  readonly at: Instant;
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

/** Records balances that were sent to the service, or could not be sent. */
export interface SyncEntry {
  readonly event: 'sync';
  readonly at: Instant;
  readonly tenant: string;
  readonly items: number;
  readonly outcome: 'sent' | 'failed';
  readonly attempts: number;
  /** Holds the status of the last response; null when there was none. */
  readonly status: number | null;
  /** Holds the id that the service gave this sync. */
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

export type PointMasterLogEntry = WebhookEntry | RejectedEntry | SyncEntry | HistoryEntry | AdjustEntry | FaultEntry;

/** Limits the log; older entries are dropped, and a subscriber receives all of them. */
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

  /** Resolves as soon as `atLeast` entries match, or after `timeout` ms of real time. */
  waitFor(matches: (entry: PointMasterLogEntry) => boolean, { atLeast, timeout }: Wait): Promise<void> {
    let count = this.#entries.filter(matches).length;
    if (count >= atLeast || timeout === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.subscribe((entry) => {
        if (matches(entry) && ++count >= atLeast) end();
      });
      const cancelTimer = startTimer(timeout, () => end());
      function end(): void {
        stop();
        cancelTimer();
        resolve();
      }
    });
  }
}

/** Returns an entry as one object, for a line of JSON. */
export const serializeEntry = (entry: PointMasterLogEntry): object => ({ ...entry, at: toTimestamp(entry.at) });

/** Returns an entry as one line for people. */
export const formatEntry = (entry: PointMasterLogEntry): string =>
  escapeControls(`${toTimestamp(entry.at)} ${describeEntry(entry)}`);

const maxLine = 1000;

/** Escapes control characters, because texts of others could steer a terminal. */
const escapeControls = (line: string): string =>
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
    case 'rejected':
      return `rejected with ${entry.status} ${entry.reason}: ${entry.message}`;
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

/** Returns `loyalty.addPoints +25 for 5a0e…, definition 1 ("For the long wait", Manual): applied, now 540` */
function describeWebhook({ eventType, tenant, payload, outcome, balance, signature, id }: WebhookEntry): string {
  // A payload can be any JSON value; its fields are checked one by one.
  const fields = (typeof payload === 'object' && payload !== null ? payload : {}) as Readonly<Record<string, unknown>>;
  const { description, source, workflowName, reason } = fields;
  const why = [description && `"${String(description)}"`, source, workflowName, reason].filter(Boolean).map(String);
  const reasons = why.length > 0 ? ` (${why.join(', ')})` : '';
  const now = balance === undefined ? '' : `, now ${balance}`;
  const unverified = signature === 'valid' ? '' : ', signature not checked';
  return `${eventType}${formatSubject(fields)}${reasons}: ${outcomes[outcome]}${now} [event ${id}, tenant ${tenant}${unverified}]`;
}

function formatSubject({ contactId, amount, pointDefinitionId }: Readonly<Record<string, unknown>>): string {
  if (contactId === undefined) return '';
  if (typeof amount !== 'number') return ` of ${String(contactId)}`;
  return ` ${describeChange({ contactId: String(contactId), definitionId: Number(pointDefinitionId), amount })}`;
}

const outcomes: Readonly<Record<WebhookEntry['outcome'], string>> = {
  applied: 'applied',
  repeated: 'repeated, was applied before',
  contradicted: 'rejected, the same event id was applied with another adjustment',
  noted: 'noted',
};

interface BalanceChange {
  readonly contactId: string;
  readonly definitionId: number;
  readonly amount: number;
}

const describeChange = ({ contactId, definitionId, amount }: BalanceChange): string =>
  `${amount < 0 ? '' : '+'}${amount} for ${contactId}, definition ${definitionId}`;

function describeSync({ items, tenant, outcome, attempts, status, message, syncId }: SyncEntry): string {
  const what = `${plural(items, 'balance')} of tenant ${tenant}`;
  const tries = attempts > 1 ? ` at attempt ${attempts}` : '';
  if (outcome === 'sent') return `sent ${what}${tries}${syncId === null ? '' : ` (${syncId})`}`;
  return `could not send ${what}${tries}: ${status ?? 'no response'}${message === null ? '' : `, ${redactText(message)}`}`;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
