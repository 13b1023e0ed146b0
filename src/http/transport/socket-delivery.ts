/** Carries out a response's fault on a socket: drops, cuts or corrupts the response, or leaves the client hanging. */
import { monotonicNow } from '../../core/time/clock.ts';
import { nextTurn } from '../../core/time/steps.ts';
import type { DeliveredResponse } from '../../core/exchange/fault.ts';
import {
  planResponse,
  describeDelivered,
  isBodilessStatus,
  isConclusive,
  nothingDelivered,
  sizeOf,
  sentTextOf,
} from './wire-plan.ts';
import type { WirePlan } from './wire-plan.ts';
import type { FullResponse } from '../../faults/kinds/fault-kind.ts';
import type { FaultableConnection } from './faultable-connection.ts';
import { SocketResponse } from './socket-response.ts';

/** Limits a response that is described and sent in one turn, in bytes. */
const shortSize = 1024 * 1024;

/** Sends the response as its fault says; returns what went out. */
export async function deliverOverSocket(
  response: Response | SocketResponse,
  connection: FaultableConnection,
): Promise<DeliveredResponse> {
  const plan = planResponse(toFullResponse(response), connection.pendingFault);
  await connection.awaitPipelineTurn();
  const size = sizeOf(plan);
  // Before anything is sent, so that the journal has it as soon as it is out.
  const text = size > shortSize ? await nextTurn().then(() => sentTextOf(plan, size)) : undefined;
  if (connection.isClosed) return nothingDelivered(connection.endedBy);
  if (plan.head) connection.writeHead(plan.head.status, plan.head.headers);
  const sent = await sendPieces(plan, connection);
  const { trailer } = plan;
  const observableAt = trailer === undefined ? sent.observableAt : monotonicNow();
  if (trailer !== undefined) await connection.writeRaw(trailer);
  const end = await connection.end(plan.end);
  const { bytes } = sent;
  const known = bytes === size ? text : undefined;
  return describeDelivered(plan, { bytes, end, text: known, ...(isConclusive(plan, bytes) && { observableAt }) });
}

const piecesAtOnce = 100;

/** Sends the pieces; returns the bytes sent, and when the client could first tell how its request ends. */
async function sendPieces(
  { head, pieces }: WirePlan,
  connection: FaultableConnection,
): Promise<{ bytes: number; observableAt: number }> {
  const { chunkDelays: delays } = connection.pendingFault.fired;
  let [bytes, observableAt] = [0, monotonicNow()];
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await connection.pause(delays[i - 1] ?? 0);
    // Without pauses, as many as the socket takes would go out in one turn.
    if (i % piecesAtOnce === piecesAtOnce - 1) await nextTurn();
    // Garbage is recognized with its first bytes, a response is complete with its last piece.
    if (head) observableAt = monotonicNow();
    bytes += await connection.send(piece);
    if (connection.isClosed) break;
  }
  return { bytes, observableAt };
}

/** Returns a response with its body; a web Response comes here for HEAD only, and has none. */
function toFullResponse(response: Response | SocketResponse): FullResponse {
  const { status } = response;
  return response instanceof SocketResponse
    ? { status, headers: response.headers, body: isBodilessStatus(status) ? null : response.body }
    : { status, headers: Object.fromEntries(response.headers), body: null };
}
