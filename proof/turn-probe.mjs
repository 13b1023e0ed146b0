/**
 * Is loaded into a process before its program: writes each turn of the event loop above 20 ms to the file that
 * TURN_FILE names. What a turn took is the time on the clock or that of the processor, whichever is less: others have
 * the machine as well.
 */
import { appendFileSync } from 'node:fs';

let [at, used] = [performance.now(), process.cpuUsage()];

function turn() {
  const { user, system } = process.cpuUsage(used);
  const took = Math.min(performance.now() - at, (user + system) / 1000);
  if (took > 20) appendFileSync(process.env.TURN_FILE, `${Math.round(took)}\n`);
  [at, used] = [performance.now(), process.cpuUsage()];
  setImmediate(turn);
}
turn();
