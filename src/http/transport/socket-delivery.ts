/** Carries out on a socket what a fault says of an answer: loses it, cuts it, spoils it, or leaves the caller hanging. */
import { monotonicNow } from '../../core/time/clock.ts';
import type { DeliveredResponse } from '../../core/exchange/fault.ts';
import { planResponse, describeDelivered, isBodilessStatus, isConclusive, nothingDelivered } from './wire-plan.ts';
import type { WirePlan } from './wire-plan.ts';
import type { FullResponse } from '../../faults/kinds/fault-kind.ts';
import type { FaultableConnection } from './faultable-connection.ts';
import { SocketResponse } from './socket-response.ts';

/** Sends the response as its fault says; resolves with what went out. */
export async function deliverOverSocket(
  answer: Response | SocketResponse,
  connection: FaultableConnection,
): Promise<DeliveredResponse> {
  const plan = planResponse(toFullResponse(answer), connection.pendingFault);
  await connection.awaitPipelineTurn();
  if (connection.isOver) return nothingDelivered(connection.endedBy);
  if (plan.head) connection.writeHead(plan.head.status, plan.head.headers);
  const sent = await sendPieces(plan, connection);
  const { trailer } = plan;
  const observableAt = trailer === undefined ? sent.observableAt : monotonicNow();
  if (trailer !== undefined) await connection.writeRaw(trailer);
  const end = await connection.end(plan.end);
  const { bytes } = sent;
  return describeDelivered(plan, { bytes, end, ...(isConclusive(plan, bytes) && { observableAt }) });
}

/** Sends the pieces; returns their bytes, and when those began that tell the client how its request ends. */
async function sendPieces(
  { head, pieces }: WirePlan,
  connection: FaultableConnection,
): Promise<{ bytes: number; observableAt: number }> {
  const { chunkDelays: pauses } = connection.pendingFault.fired;
  let [bytes, observableAt] = [0, monotonicNow()];
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await connection.pause(pauses[i - 1] ?? 0);
    // What is no HTTP is seen to be none at once, an answer is whole with its last piece.
    if (head) observableAt = monotonicNow();
    bytes += await connection.send(piece);
    if (connection.isOver) break;
  }
  return { bytes, observableAt };
}

/** Only HEAD is answered with one of the web's own answers, which has no body. */
const toFullResponse = (answer: Response | SocketResponse): FullResponse =>
  answer instanceof SocketResponse
    ? { ...answer, body: isBodilessStatus(answer.status) ? null : answer.body }
    : { status: answer.status, headers: Object.fromEntries(answer.headers), body: null };
