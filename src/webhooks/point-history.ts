/** Fetches a contact's point history from the point master, for the contact's card. */
import type * as z from 'zod';
import { fieldErrors } from '../core/validation/unknown-fields.ts';
import { arrayOf, number, looseObjectOf, text, timestamp } from '../core/validation/field-types.ts';
import { redactUrl } from './keys.ts';

/** Point history item (Point-follower records). */
export const pointHistoryItem = looseObjectOf({ transactionDate: timestamp, amount: number, description: text });

export type PointHistoryItem = z.output<typeof pointHistoryItem>;

export interface PointHistory {
  readonly items: readonly PointHistoryItem[];
  /** The reason why there are none; null when the master has responded. */
  readonly note: string | null;
}

/** Limits the time that a contact card waits for it, in ms. */
const maxWait = 5000;

const history = arrayOf(pointHistoryItem);

interface PointHistoryQuery {
  /** Holds the address of the point master. */
  readonly url: string;
  readonly contactId: string;
  readonly signal: AbortSignal;
}

/** Requests a contact's history from the point master. Never throws: a note says when it is down, slow or invalid. */
export async function requestPointHistory({ url, contactId, signal }: PointHistoryQuery): Promise<PointHistory> {
  const address = addressOf(url, contactId);
  const source = `The point master at ${redactUrl(address)}`;
  try {
    const response = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(maxWait)]) });
    if (!response.ok) return unavailable(`${source} answered ${response.status}.`);
    const parsed = history.safeParse(jsonOf(await response.text()));
    if (parsed.success) return { items: parsed.data, note: null };
    const [{ field, errorDescription } = { field: '', errorDescription: '' }] = fieldErrors(parsed.error);
    return unavailable(
      `${source} answered what is no list of point history: ${field || 'the body'} ${errorDescription}.`,
    );
  } catch (error) {
    return unavailable(`${source} ${describeFetchError(error)}.`);
  }
}

const unavailable = (note: string): PointHistory => ({ items: [], note });

function addressOf(url: string, contactId: string): string {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/$/, '')}/fetchPointHistory`;
  address.searchParams.set('id', contactId);
  return address.href;
}

/** Parses JSON; any other text stays text, which is no list. */
function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function describeFetchError(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be asked';
  if (error.name === 'TimeoutError') return `did not answer within ${maxWait / 1000} s`;
  const { cause } = error;
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
  return reason === 'ECONNREFUSED' ? 'cannot be reached: nobody listens there' : `cannot be asked (${reason})`;
}
