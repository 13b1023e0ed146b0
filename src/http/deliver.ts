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
  const bytes = await sendPieces(cut, line);
  if (cut.isChunked) await line.spoil(malformedChunk);
  const saidAt = monotonic();
  const end = await line.end(cut.end);
  return delivered(cut, { bytes, end, ...(isTelling(cut, bytes) && { heardAt: saidAt }) });
}

/** Answers how many bytes went out. */
async function sendPieces({ pieces }: Cut, line: Line): Promise<number> {
  const { pauses } = line.delivery.fired;
  let sent = 0;
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await line.pause(pauses[i - 1] ?? 0);
    sent += await line.send(piece);
    if (line.isOver) break;
  }
  return sent;
}

/** Only HEAD is answered with one of the web's own answers, which has no body. */
const wholeOf = (answer: Response | SocketAnswer): WholeAnswer =>
  answer instanceof SocketAnswer
    ? { ...answer, body: hasNoBody(answer.status) ? null : answer.body }
    : { status: answer.status, headers: Object.fromEntries(answer.headers), body: null };
