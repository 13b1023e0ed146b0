import { monotonicNow } from '../../core/time/clock.ts';
import type { DeliveredResponse, ConnectionEnd, Fault } from '../../core/exchange/fault.ts';
import { faultKindOf } from '../../faults/fault-kinds.ts';
import type { AlteredResponse, FullResponse } from '../../faults/kinds/fault-kind.ts';
import type { PendingFault } from '../context.ts';

/** Says what goes out, and how it ends. */
export interface WirePlan extends Omit<AlteredResponse, 'body'> {
  /** Holds the body, or garbage, in the chunks of a dribble. */
  readonly pieces: readonly Uint8Array[];
  readonly end: ConnectionEnd;
}

export const nothingDelivered = (end: DeliveredResponse['end']): DeliveredResponse => ({
  status: undefined,
  headers: {},
  body: undefined,
  bytes: 0,
  end,
  observableAt: monotonicNow(),
  heldUntil: undefined,
});

export const sizeOf = ({ pieces }: WirePlan): number => pieces.reduce((sum, { length }) => sum + length, 0);

/** Returns the text of as many bytes of a body. */
export function sentTextOf({ pieces: [first, ...others] }: WirePlan, bytes: number): string {
  if (!first) return '';
  const whole =
    others.length > 0 ? Buffer.concat([first, ...others]) : Buffer.from(first.buffer, first.byteOffset, first.length);
  return whole.toString('utf8', 0, bytes);
}

interface SentResponse extends Pick<DeliveredResponse, 'bytes' | 'end'> {
  readonly observableAt?: number;
  /** Holds the text of what was sent, if it was made before. */
  readonly text?: string | undefined;
}

/** Describes what of a response went out. */
export function describeDelivered(
  plan: WirePlan,
  { bytes, end, observableAt = monotonicNow(), text }: SentResponse,
): DeliveredResponse {
  const { head } = plan;
  const heldUntil = end === 'hang' && !isConclusive(plan, bytes) ? Infinity : undefined;
  // No spread: V8 would give each of them a shape of its own, and all that reads them would slow down.
  const { status, headers } = head ?? { status: undefined, headers: {} };
  const body = head && (text ?? sentTextOf(plan, bytes));
  return { status, headers, body, bytes, end, observableAt, heldUntil };
}

/** True when a client can tell from what went out, without waiting for the connection to end. */
export const isConclusive = ({ head, isWhole, trailer }: WirePlan, sent: number): boolean =>
  isWhole || trailer !== undefined || (!head && sent > 0);

/** True for a status that never comes with a body, and so with no length of one. */
export const isBodilessStatus = (status: number): boolean => status === 204 || status === 304;

/** Plans what a fault does to a response, as data: the same for a socket and for a caller in process. */
export function planResponse(response: FullResponse, { fired: { fault }, garbage }: PendingFault): WirePlan {
  const kind = faultKindOf(fault.respond);
  const { body, ...altered } = kind.alter(response, { options: fault.options, garbage });
  // A response that is cut can't end as usual: its connection is closed.
  const end = fault.end === 'normal' && !kind.isComplete ? 'close' : fault.end;
  return { ...altered, pieces: split(body, fault), end };
}

/** Returns as many chunks as the fault asks for, none of them empty. */
function split(bytes: Uint8Array, { dribble }: Fault): Uint8Array[] {
  const count = Math.min(dribble?.chunks ?? 1, bytes.length);
  const edge = (i: number): number => Math.round((i * bytes.length) / count);
  return Array.from({ length: count }, (_, i) => bytes.subarray(edge(i), edge(i + 1)));
}
