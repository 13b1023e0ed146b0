/** Measures thirteen months in which points fall due one by one: what each takes must not grow with how many there are. */
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from './folder.mjs';
import { median, spread } from './numbers.mjs';
import { simServer, startServer } from './servers.mjs';
import { added, fixtureOf, month, now } from './time.mjs';

const rounds = 5;
const [few, many] = [25_000, 100_000];
const contacts = 1000;
const [mostSeconds, mostExponent] = [4, 1.02];

/** Posts JSON, and reads the response through without keeping it: it has 1.2 KB for each event. */
const post = (port, path, body) =>
  new Promise((resolve, reject) => {
    const headers = { 'user-agent': 'bench', 'content-type': 'application/json' };
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers }, (response) => {
      if (response.statusCode >= 300) reject(new Error(`POST ${path}: ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    sent.on('error', reject).end(JSON.stringify(body));
  });

/** Returns the seconds from a request to the end of its response that tells each of so many events. */
async function thirteenMonthsOf(events, unpacked, file) {
  const { port, stop } = await startServer(simServer(unpacked, '--fixtures', file, '--now', now));
  const [first, step] = [Date.parse(now) + month, (12 * month) / events];
  const row = (n) => ({ ...added(n % contacts), validTo: new Date(first + n * step).toISOString() });
  for (let from = 0; from < events; from += contacts) {
    const rows = Array.from({ length: contacts }, (_, i) => row(from + i));
    await post(port, '/api/v3/point-accounts/transactions', rows);
  }
  const began = performance.now();
  await post(port, '/__admin/clock', { advance: 'P13M' });
  const seconds = (performance.now() - began) / 1000;
  await stop();
  return seconds;
}

const shown = (taken) => `${median(taken).toFixed(1)} s (${spread(taken)})`;

export async function pointsDue(unpacked) {
  const file = join(temporaryFolder(), 'points.json');
  writeFileSync(file, JSON.stringify(fixtureOf(contacts)));
  const [short, long] = [[], []];
  for (let n = 0; n < rounds; n++) {
    short.push(await thirteenMonthsOf(few, unpacked, file));
    long.push(await thirteenMonthsOf(many, unpacked, file));
  }
  const exponent = Math.log(median(long) / median(short)) / Math.log(many / few);
  return [
    {
      what: 'thirteen months in which 100,000 points fall due one by one',
      sim: shown(long),
      asked: `≤ ${mostSeconds} s`,
      isReached: median(long) <= mostSeconds,
    },
    {
      what: 'how that grows from 25,000 points, as an exponent',
      bare: shown(short),
      sim: exponent.toFixed(2),
      asked: `≤ ${mostExponent}`,
      isReached: exponent <= mostExponent,
    },
  ];
}
