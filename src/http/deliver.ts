/** Carries out on a socket what a fault says of an answer: loses it, cuts it, spoils it, or leaves the caller hanging. */
import { monotonic } from '../core/clock.ts';
import type { Delivered } from '../core/faults.ts';
import { cutAnswer, delivered, hasNoBody, isTelling, nothingDelivered } from './cut.ts';
import type { Cut, WholeAnswer } from './cut.ts';
import type { Line } from './line.ts';
import { SocketAnswer } from './socket-answer.ts';

/** No number of bytes. */
const malformedChunk = 'zz\r\n';

/** Answers what went out, when no more of it will. */
export async function deliver(answer: Response | SocketAnswer, line: Line): Promise<Delivered> {
  const cut = cutAnswer(wholeOf(answer), line.delivery);
  await line.turn();
  if (line.isOver) return nothingDelivered(line.endedBy);
  if (cut.head) line.begin(cut.head.status, cut.head.headers);
  const sent = await sendPieces(cut, line);
  const saidAt = cut.isChunked ? monotonic() : sent.saidAt;
  if (cut.isChunked) await line.spoil(malformedChunk);
  const end = await line.end(cut.end);
  const { bytes } = sent;
  return delivered(cut, { bytes, end, ...(isTelling(cut, bytes) && { heardAt: saidAt }) });
}

/** Answers how many bytes went out, and when those began to that tell a client how its call ends. */
async function sendPieces({ head, pieces }: Cut, line: Line): Promise<{ bytes: number; saidAt: number }> {
  const { pauses } = line.delivery.fired;
  let [bytes, saidAt] = [0, monotonic()];
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await line.pause(pauses[i - 1] ?? 0);
    // What is no HTTP is seen to be none at once, an answer is whole with its last piece.
    if (head) saidAt = monotonic();
    bytes += await line.send(piece);
    if (line.isOver) break;
  }
  return { bytes, saidAt };
}

/** Only HEAD is answered with one of the web's own answers, which has no body. */
const wholeOf = (answer: Response | SocketAnswer): WholeAnswer =>
  answer instanceof SocketAnswer
    ? { ...answer, body: hasNoBody(answer.status) ? null : answer.body }
    : { status: answer.status, headers: Object.fromEntries(answer.headers), body: null };
