/** Carries out on a socket what a fault says of an answer: loses it, cuts it, spoils it, or leaves the caller hanging. */
import { monotonicNow } from '../../core/time/clock.ts';
import type { DeliveredResponse } from '../../core/exchange/fault.ts';
import { planResponse, describeDelivered, isBodilessStatus, isConclusive, nothingDelivered } from './wire-plan.ts';
import type { WirePlan } from './wire-plan.ts';
import type { FullResponse } from '../../faults/kinds/fault-kind.ts';
import type { FaultableConnection } from './faultable-connection.ts';
import { SocketResponse } from './socket-response.ts';

/** Answers what went out, when no more of it will. */
export async function deliverOverSocket(
  answer: Response | SocketResponse,
  line: FaultableConnection,
): Promise<DeliveredResponse> {
  const cut = planResponse(toFullResponse(answer), line.pendingFault);
  await line.awaitPipelineTurn();
  if (line.isOver) return nothingDelivered(line.endedBy);
  if (cut.head) line.writeHead(cut.head.status, cut.head.headers);
  const sent = await sendPieces(cut, line);
  const { trailer } = cut;
  const saidAt = trailer === undefined ? sent.saidAt : monotonicNow();
  if (trailer !== undefined) await line.writeRaw(trailer);
  const end = await line.end(cut.end);
  const { bytes } = sent;
  return describeDelivered(cut, { bytes, end, ...(isConclusive(cut, bytes) && { heardAt: saidAt }) });
}

/** Answers how many bytes went out, and when those began to that tell a client how its call ends. */
async function sendPieces(
  { head, pieces }: WirePlan,
  line: FaultableConnection,
): Promise<{ bytes: number; saidAt: number }> {
  const { chunkDelays: pauses } = line.pendingFault.fired;
  let [bytes, saidAt] = [0, monotonicNow()];
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await line.pause(pauses[i - 1] ?? 0);
    // What is no HTTP is seen to be none at once, an answer is whole with its last piece.
    if (head) saidAt = monotonicNow();
    bytes += await line.send(piece);
    if (line.isOver) break;
  }
  return { bytes, saidAt };
}

/** Only HEAD is answered with one of the web's own answers, which has no body. */
const toFullResponse = (answer: Response | SocketResponse): FullResponse =>
  answer instanceof SocketResponse
    ? { ...answer, body: isBodilessStatus(answer.status) ? null : answer.body }
    : { status: answer.status, headers: Object.fromEntries(answer.headers), body: null };
