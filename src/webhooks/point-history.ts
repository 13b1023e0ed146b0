/** Fetches a contact's point history from the point master, for the contact's card. */
import type * as z from 'zod';
import { fetchWithLimits, ResponseTooLargeError } from '../core/lib/limited-fetch.ts';
import { fieldErrors } from '../core/validation/unknown-fields.ts';
import { arrayOf, number, looseObjectOf, text, timestamp } from '../core/validation/field-types.ts';
import { redactUrl } from '../core/exchange/redaction.ts';

/** Describes an item of the point history (Point-follower records). */
export const pointHistoryItem = looseObjectOf({ transactionDate: timestamp, amount: number, description: text });

export type PointHistoryItem = z.output<typeof pointHistoryItem>;

export interface PointHistory {
  readonly items: readonly PointHistoryItem[];
  /** Says why there are none; null when the master has responded. */
  readonly note: string | null;
  /** Holds the status of the response; undefined when none came. */
  readonly status?: number;
}

/** Limits the time that a contact card waits for it, in ms. */
const maxWait = 5000;

/** Limits the history: some 50,000 items. */
const maxBytes = 8 * 1024 * 1024;

const history = arrayOf(pointHistoryItem);

interface PointHistoryQuery {
  /** Holds the address of the point master. */
  readonly url: string;
  readonly contactId: string;
  readonly signal: AbortSignal;
  /** Limits the wait for the whole response, in ms (default: 5 s). */
  readonly timeout?: number;
}

/** Requests a contact's history from the point master. Never throws: a note says when it is down, slow or invalid. */
export async function requestPointHistory({
  url,
  contactId,
  signal,
  timeout = maxWait,
}: PointHistoryQuery): Promise<PointHistory> {
  const { address, headers } = addressOf(url, contactId);
  const source = `The point master at ${redactUrl(address)}`;
  try {
    const { status, text: body } = await fetchWithLimits(address, { headers, signal, timeout, maxBytes });
    if (status < 200 || status >= 300)
      return unavailable(`${source} responded with ${status}${redirectHint(status)}.`, status);
    const parsed = history.safeParse(jsonOf(body));
    if (parsed.success) return { items: parsed.data, note: null, status };
    const [{ field, errorDescription } = { field: '', errorDescription: '' }] = fieldErrors(parsed.error);
    return unavailable(
      `${source} responded with something other than a list of point history: ${field || 'the body'} ${errorDescription}.`,
      status,
    );
  } catch (error) {
    return unavailable(`${source} ${describeFetchError(error, timeout)}.`);
  }
}

const redirectHint = (status: number): string =>
  status >= 300 && status < 400 ? ', and redirects are not followed' : '';

const unavailable = (note: string, status?: number): PointHistory => ({
  items: [],
  note,
  ...(status !== undefined && { status }),
});

interface HistoryAddress {
  readonly address: string;
  /** Holds the user and password of the given URL, which `fetch` takes in a header alone. */
  readonly headers: Readonly<Record<string, string>>;
}

function addressOf(url: string, contactId: string): HistoryAddress {
  const address = new URL(url);
  const { username, password } = address;
  address.username = '';
  address.password = '';
  address.pathname = `${address.pathname.replace(/\/$/, '')}/fetchPointHistory`;
  address.searchParams.set('id', contactId);
  const credentials = [username, password].map(decoded).join(':');
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  return { address: address.href, headers: credentials === ':' ? {} : headers };
}

/** Decodes a part of a URL; one with a percent sign that begins no code stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Parses JSON; any other text stays text, which is no list. */
function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function describeFetchError(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return 'gave no response';
  if (error.name === 'TimeoutError') return `did not respond within ${timeout / 1000} s`;
  if (error instanceof ResponseTooLargeError) return `began ${error.message}`;
  const { cause } = error;
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
  return reason === 'ECONNREFUSED' ? 'cannot be reached: nobody listens there' : `gave no response (${reason})`;
}
