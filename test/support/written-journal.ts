/** Writes a journal down as it would be after a client at exact times, without waiting for them. */
import type { Exchange } from '../../src/core/exchange/exchange.ts';
import { exchangeId, noDeferredEffects, noNearMisses, SideEffects } from '../../src/core/exchange/exchange.ts';
import type { Tenant } from '../../src/core/tenant/tenant.ts';

/** Describes a request, the pause before it and what became of it. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly endpoint: string;
  readonly body?: string;
  /** Holds headers in addition to that of the host. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Counts in ms after the end of the request before it; below 0 if it was sent without waiting for that. */
  readonly pause: number;
  /** True when the clock was moved instead of waiting. */
  readonly isMoved?: boolean;
  /** Says how long (ms) before it its connection was opened; at once, unless that had served another request. */
  readonly opened?: number;
  /** True when its connection had served another request. */
  readonly isKept?: boolean;
  /**
   * Says how it ends: without a byte, cut, after the client's own timeout, or with a status that may ask for a pause
   * (s).
   */
  readonly ends: 'close' | 'reset' | 'cut' | 'hang' | { readonly status: number; readonly retryAfter?: number };
}

/** Sets how long each request takes, in ms; one that hangs takes a hundred times as long. */
const duration = 1;
const timeout = 100 * duration;

/** Names a moment of which nobody knows yet whether the simulator is late then. */
const later = 1e9;

/** Sets how long the client takes at least to send the next, in ms. */
const way = 1;

/** Adds these requests to a journal, one after another, from a moment on (ms since the program's start). */
export function writeJournal(tenant: Tenant, requests: readonly Sent[], from = later): void {
  const begin = tenant.clock.now();
  let [now, moved] = [from, 0];
  for (const [i, sent] of requests.entries()) {
    moved += sent.isMoved ? sent.pause : 0;
    now += way + (sent.isMoved ? 0 : sent.pause);
    const exchange = exchangeOf(sent, { tenant, number: i + 1, now, at: begin + now + moved, moved });
    tenant.journal.open(exchange);
    tenant.journal.complete(exchange);
    now = exchange.finishedAt ?? now;
  }
}

interface Moment {
  readonly tenant: Tenant;
  readonly number: number;
  readonly now: number;
  readonly at: number;
  /** Says how far the clock has been moved, in ms. */
  readonly moved: number;
}

function exchangeOf(sent: Sent, { tenant, number, now, at, moved }: Moment): Exchange {
  const { method, path, endpoint, body, headers = {}, isKept = false, opened = isKept ? 1 : 0, ends } = sent;
  const end = now + (ends === 'hang' ? timeout : duration);
  const answer = typeof ends === 'string' ? undefined : ends;
  const asked: Record<string, string> =
    answer?.retryAfter === undefined ? {} : { 'Retry-After': String(answer.retryAfter) };
  const fault = {
    phase: 'before',
    respond: answer ? 'status' : ends === 'cut' ? 'partial' : 'none',
    end: ends === 'hang' || ends === 'reset' ? ends : 'close',
    status: answer?.status,
    headers: asked,
    options: {},
  };
  const isFailure = answer === undefined || answer.status >= 400;
  return {
    id: exchangeId(tenant.name, number),
    number,
    at,
    clockMoved: moved,
    startedAt: now,
    method,
    path,
    query: '',
    request: { headers: { host: 'localhost', ...headers }, body },
    keyDigest: undefined,
    endpoint,
    nearest: undefined,
    status: ends === 'cut' ? 200 : answer?.status,
    response: undefined,
    fault: isFailure ? { rule: 'rule-1', hit: number, fault, delay: 0, chunkDelays: [] } : undefined,
    nearMisses: noNearMisses,
    delivered: answer
      ? undefined
      : {
          status: ends === 'cut' ? 200 : undefined,
          headers: {},
          body: undefined,
          bytes: ends === 'cut' ? 9 : 0,
          end: ends === 'hang' ? 'client-aborted' : ends === 'reset' ? 'reset' : 'close',
          observableAt: end,
          heldUntil: ends === 'hang' ? end : undefined,
        },
    connection: {
      id: number,
      port: number,
      request: isKept ? 2 : 1,
      openedAt: now - opened,
      eventLoopTurn: number,
      httpVersion: '1.1',
      life: { closedAt: end },
    },
    finishedAt: end,
    completionNumber: undefined,
    byteSize: 0,
    sideEffects: new SideEffects(),
    deferredEffects: noDeferredEffects,
  } as Exchange;
}
