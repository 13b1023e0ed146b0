/** Measures the memory after so many requests: the journal fills up to its bound, and then nothing grows any more. */
import { requestText, sendAll } from './load.mjs';
import { residentMemory, simServer, startServer } from './servers.mjs';

const contact = '5a0e7c1e-0001-4000-8000-000000000001';
const million = 1_000_000;

export async function memory(folder) {
  const { child, port, stop } = await startServer(simServer(folder));
  const messages = [
    requestText('GET', `/api/v3/contacts/${contact}`),
    requestText('PATCH', `/api/v3/contacts/${contact}`, JSON.stringify({ street: 'Storgatan 1' })),
  ];
  const send = (count) =>
    sendAll({ port, connections: 50, count, status: 200, message: (n) => messages[n % messages.length] });
  const marks = [];
  for (let sent = 0; sent < million; sent += million / 8) {
    await send(million / 8);
    marks.push(Math.round(residentMemory(child.pid)));
  }
  await stop();
  // Resident memory goes up and down with the collector: what counts is how high it got.
  const [first, second] = [Math.max(...marks.slice(0, 4)), Math.max(...marks.slice(4))];
  return [
    {
      what: 'resident memory at its highest in the first and in the second half of 1,000,000 requests (half GET, half PATCH)',
      bare: `${first} MB`,
      sim: `${second} MB`,
      ratio: second / first,
      target: 1.15,
      better: 'lower',
    },
  ];
}
