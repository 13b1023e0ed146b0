/** Handles events of a shop's bus one after the other: reads the contact, and writes what the event says. */
import { EventEmitter, once } from 'node:events';
import { astrid, behaviour, get, johan, pause, paths, patch, retry } from './kit.mjs';

const bus = new EventEmitter();
const waiting = [];
let isBusy = false;

async function moved({ who, street }) {
  const read = () => get(paths.contact(who));
  const found = behaviour === 'right' ? await retry(read) : await read();
  if (found?.status !== 200) return behaviour === 'requeues' ? waiting.push({ who, street }) : undefined;
  return retry(() => patch(paths.contact(who), { street }));
}

bus.on('moved', async (event) => {
  waiting.push(event);
  if (isBusy) return;
  isBusy = true;
  while (waiting.length > 0) {
    await moved(waiting.shift());
    await pause(40);
  }
  isBusy = false;
  bus.emit('idle');
});

for (const [who, street] of [
  [astrid, 'Storgatan 1'],
  [johan, 'Nygatan 2'],
  [astrid, 'Kyrkogatan 3'],
]) {
  if (behaviour === 'drops' && street === 'Kyrkogatan 3') await pause(500);
  bus.emit('moved', { who, street });
  if (behaviour !== 'requeues') await once(bus, 'idle');
}
if (isBusy) await once(bus, 'idle');
