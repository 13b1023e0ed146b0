/** Measures in short, for CI: start, GET and POST of this commit and of another, in turns on the same machine. */
import { load, requestText } from './load.mjs';
import { median, round, spread } from './numbers.mjs';
import { simServer, startServer } from './servers.mjs';
import { firstAnswer } from './start-up.mjs';
import { contactRequest, receipt } from './throughput.mjs';

/** A machine of CI is never quiet: less says nothing. */
const tolerated = 1.2;

async function rateOf(folder, request) {
  const server = await startServer(simServer(folder));
  const options = { port: server.port, connections: 50, ...request };
  await load({ ...options, seconds: 0.5 });
  const message = (n) => request.message(n + 100_000_000);
  const rate = await load({ ...options, message, seconds: 1 });
  await server.stop();
  return rate;
}

async function startTime(folder) {
  const { taken } = await firstAnswer(simServer(folder), '/api/v3/consents');
  return taken;
}

const parts = [
  { what: 'spawn to first response', unit: ' ms', rounds: 9, measure: startTime },
  { what: 'GET contact', unit: '/s', measure: (folder) => rateOf(folder, { status: 200, message: contactRequest }) },
  {
    what: 'POST receipt',
    unit: '/s',
    measure: (folder) =>
      rateOf(folder, { status: 202, message: (n) => requestText('POST', '/api/v3/receipts', receipt(n)) }),
  },
];

/** Returns a line for each part, with a warning where this package is much slower than the other one. */
export async function shortComparison(folder, other) {
  const lines = [];
  for (const { what, unit, rounds = 3, measure } of parts) {
    const [own, before] = [[], []];
    for (let n = 0; n < rounds; n++) {
      before.push(await measure(other));
      own.push(await measure(folder));
    }
    const slower = unit === '/s' ? median(before) / median(own) : median(own) / median(before);
    const figures = [own, before].map((all) => `${round(median(all))}${unit} (${spread(all)})`);
    lines.push(
      `${what}: ${figures[0]}, before ${figures[1]}${slower > tolerated ? `  WARNING: ${slower.toFixed(2)} × slower` : ''}`,
    );
  }
  return lines;
}
