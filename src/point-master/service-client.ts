/** Sends requests to the service, as any point master would. */
import { fetchWithLimits } from '../core/lib/limited-fetch.ts';
import { waitOrAbort } from './wait.ts';
import type { SyncedBalance } from './schemas.ts';

export interface ServiceConnection {
  /** Returns the address; undefined as long as the service cannot be reached. */
  readonly url: () => string | undefined;
  readonly apiKey: string | undefined;
  /** Sets the pause before the first retry, in ms; it doubles with each. */
  readonly retryPause: number;
}

interface Post {
  readonly tenant: string;
  readonly items: readonly SyncedBalance[];
  readonly signal: AbortSignal;
}

interface Posted {
  readonly isAccepted: boolean;
  readonly attempts: number;
  readonly status: number | null;
  readonly syncId: string | null;
  readonly message: string | null;
}

type SyncAttempt = Omit<Posted, 'attempts'>;

const notListening = 'the service is not served on a port yet';
const maxAttempts = 5;
const timeout = 15_000;
const maxBytes = 1024 * 1024;

/** True for no response, 500 or 504, which General rule 2 allows to retry. */
const isRetryable = ({ status }: SyncAttempt): boolean => status === null || status === 500 || status === 504;

/**
 * Sends the totals of accounts to the service. Setting a total twice does no harm, so the same body is retried until there
 * is a response; without one, the next sync sends the totals again.
 */
export async function postBalances(service: ServiceConnection, { tenant, items, signal }: Post): Promise<Posted> {
  const base = service.url();
  if (base === undefined) return { isAccepted: false, status: null, syncId: null, message: notListening, attempts: 0 };
  const { apiKey } = service;
  const body = JSON.stringify(items);
  for (let attempts = 1; ; attempts++) {
    const attempt = await sendBalances({ base, apiKey, tenant, body, signal });
    if (!isRetryable(attempt) || attempts === maxAttempts || signal.aborted) return { ...attempt, attempts };
    await waitOrAbort(service.retryPause * 2 ** (attempts - 1), signal);
  }
}

interface Sent {
  readonly base: string;
  readonly apiKey: string | undefined;
  readonly tenant: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

async function sendBalances({ base, apiKey, tenant, body, signal }: Sent): Promise<SyncAttempt> {
  try {
    const { status, text } = await fetchWithLimits(`${base}/api/v3/point-accounts/balances`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'loyalty-sim-master',
        // Names the tenant for a simulator; the real service ignores this header.
        'x-sim-tenant': tenant,
        ...(apiKey !== undefined && { apikey: apiKey }),
      },
      body,
      signal,
      timeout,
      maxBytes,
    });
    return parseResponse(status, text);
  } catch (error) {
    return { isAccepted: false, status: null, syncId: null, message: reasonOf(error) };
  }
}

function parseResponse(status: number, text: string): SyncAttempt {
  const isAccepted = status >= 200 && status < 300;
  const content = parseJson(text);
  const id = typeof content === 'string' ? content : fieldOf(content, 'id');
  const message = isAccepted ? null : (fieldOf(content, 'message') ?? text.slice(0, 300));
  return { isAccepted, status, syncId: isAccepted ? (id ?? null) : null, message };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(content: unknown, name: string): string | undefined {
  if (typeof content !== 'object' || content === null) return undefined;
  const value: unknown = Object.entries(content).find(([field]) => field === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the reason of a failed fetch, which only its cause names. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return code ?? (cause instanceof Error ? cause.message : error.message);
}
