/** What of an answer goes out when a fault befalls it, as data: the same for a socket and for a caller in process. */
import { monotonicNow } from '../../core/time/clock.ts';
import type { DeliveredResponse, ConnectionEnd, Fault } from '../../core/exchange/fault.ts';
import type { PendingFault } from '../context.ts';

export interface FullResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where none may go out: in answer to HEAD, or with a status that has none. */
  readonly body: string | null;
}

/** What goes out, and how it ends. */
export interface WirePlan {
  /** Undefined where not even a status line goes out. */
  readonly head: Pick<FullResponse, 'status' | 'headers'> | undefined;
  /** Of the body, or of garbage. */
  readonly pieces: readonly Uint8Array[];
  /** Whether the body goes out in chunks, with a malformed one after the pieces. */
  readonly isChunked: boolean;
  /** Whether the client has all that it waits for. */
  readonly isWhole: boolean;
  readonly end: ConnectionEnd;
}

export const nothingDelivered = (end: DeliveredResponse['end']): DeliveredResponse => ({
  status: undefined,
  headers: {},
  body: undefined,
  bytes: 0,
  end,
  observableAt: monotonicNow(),
});

/** What of a cut answer went out. */
export function describeDelivered(
  { head, pieces }: WirePlan,
  { bytes, end, heardAt = monotonicNow() }: Pick<DeliveredResponse, 'bytes' | 'end'> & { readonly heardAt?: number },
): DeliveredResponse {
  if (!head) return { ...nothingDelivered(end), bytes, observableAt: heardAt };
  const sent = Buffer.concat(pieces).subarray(0, bytes);
  return { ...head, body: sent.toString(), bytes, end, observableAt: heardAt };
}

/** Whether a client can tell from what went out, without waiting for the connection to end. */
export const isConclusive = ({ head, isWhole, isChunked }: WirePlan, sent: number): boolean =>
  isWhole || isChunked || (!head && sent > 0);

/** Whether a status never comes with a body, and so with no length of one. */
export const isBodilessStatus = (status: number): boolean => status === 204 || status === 304;

const usualGarbage = 128;

export function planResponse({ status, headers, body }: FullResponse, { fired, garbage }: PendingFault): WirePlan {
  const { fault } = fired;
  const { respond } = fault;
  const end = plannedEnd(fault);
  const none = { head: undefined, pieces: [], isChunked: false, isWhole: false, end };
  if (respond === 'none') return none;
  if (respond === 'garbage') return { ...none, pieces: split(notHttp(garbage(fault.bytes ?? usualGarbage)), fault) };
  const whole = Buffer.from(body ?? '');
  const isChunked = respond === 'bad-chunk' && body !== null;
  const framing = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(whole.length) };
  return {
    head: { status, headers: body === null ? headers : { ...headers, ...framing } },
    pieces: split(whole.subarray(0, lengthOf(fault, whole.length)), fault),
    isChunked,
    isWhole: body === null || respond === 'full' || respond === 'status',
    end,
  };
}

/** An answer that isn't whole can't end as usual: its connection is closed. */
const plannedEnd = ({ respond, end }: Fault): ConnectionEnd =>
  end === 'normal' && respond !== 'full' && respond !== 'status' ? 'close' : end;

/** How many bytes of a body go out; of a partial one never all. */
function lengthOf({ respond, bytes }: Fault, whole: number): number {
  if (respond === 'full' || respond === 'status') return whole;
  if (respond === 'headers') return 0;
  const wanted = bytes ?? Math.floor(whole / 2);
  return respond === 'partial' ? Math.min(wanted, Math.max(whole - 1, 0)) : Math.min(wanted, whole);
}

/** No answer of HTTP begins with such a byte. */
function notHttp(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, i) => (i === 0 ? byte | 0x80 : byte));
}

/** Returns as many chunks as the fault asks for, none of them empty. */
function split(bytes: Uint8Array, { dribble }: Fault): Uint8Array[] {
  const count = Math.min(dribble?.chunks ?? 1, bytes.length);
  const edge = (i: number): number => Math.round((i * bytes.length) / count);
  return Array.from({ length: count }, (_, i) => bytes.subarray(edge(i), edge(i + 1)));
}
