/**
 * Measures what the first verdict on a day of a client takes, five times each: in process on a long day on which much fails
 * and on one on which nothing does, on a short one, and by the packed command, from the request to the end of its response.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requestsOf, scenarioOf } from './days.mjs';
import { temporaryFolder } from './folder.mjs';
import { median, round, spread } from './numbers.mjs';
import { environment, simServer, startServer } from './servers.mjs';

const rounds = 5;
const [long, short] = [30_000, 1000];
const run = fileURLToPath(new URL('verdict-run.mjs', import.meta.url));

const judged = (day, count) =>
  JSON.parse(execFileSync(process.execPath, [run, day, String(count)], { env: environment, encoding: 'utf8' }));

const agent = new Agent({ keepAlive: true });

/** Sends a request, and reads the response through, unless there is none. */
const send = (port, { method, path, body }) =>
  new Promise((resolve) => {
    const text = body && JSON.stringify(body);
    const headers = { 'user-agent': 'bench', ...(text && { 'content-type': 'application/json' }) };
    const sent = request({ agent, port, host: '127.0.0.1', path, method, headers }, (response) =>
      response.resume().on('close', () => resolve(response.statusCode)),
    );
    // What is lost is lost.
    sent.on('error', () => resolve(undefined)).end(text);
  });

/** Returns the ms from asking the command for its first verdict to the end of the response. */
async function askedOf(unpacked, day) {
  const file = join(temporaryFolder(), 'scenario.json');
  writeFileSync(file, JSON.stringify(scenarioOf(day)));
  const { port, stop } = await startServer(simServer(unpacked, '--scenario', file, '--journal-bytes', String(2 ** 31)));
  for (const one of requestsOf(day, long)) await send(port, one);
  const start = performance.now();
  const status = await send(port, { method: 'GET', path: '/__admin/verdict?clientEnded=true' });
  const milliseconds = performance.now() - start;
  if (status !== 200) throw new Error(`GET /__admin/verdict: ${status}`);
  await stop();
  return milliseconds;
}

const of = (measured, figure) => measured.map((one) => one[figure]);
const shown = (times) => `${round(median(times))} ms (${spread(times)})`;

function row(what, times) {
  return { what, sim: shown(times), limit: 500, milliseconds: median(times), better: 'lower' };
}

function longRow(day, measured) {
  const operations = measured[0].operations.toLocaleString('en');
  return row(
    `the first verdict on a journal of 30,000 requests, ${operations} operations, ${day}`,
    of(measured, 'milliseconds'),
  );
}

export async function judging(unpacked) {
  const [failing, plain, brief, ofFailing, ofPlain] = [[], [], [], [], []];
  for (let n = 0; n < rounds; n++) {
    failing.push(judged('failing', long));
    plain.push(judged('plain', long));
    brief.push(judged('failing', short));
    ofFailing.push(await askedOf(unpacked, 'failing'));
    ofPlain.push(await askedOf(unpacked, 'plain'));
  }
  agent.destroy();
  return [
    longRow('most of them tried again', failing),
    longRow('none of them failed', plain),
    row('the first verdict of the command over HTTP, most of 30,000 requests tried again', ofFailing),
    row('the first verdict of the command over HTTP, none of 30,000 requests failed', ofPlain),
    { what: 'the first verdict on 1,000 requests, most of them tried again', sim: shown(of(brief, 'milliseconds')) },
    { what: '10,000 expectations held against the first of these journals', sim: shown(of(failing, 'expected')) },
  ];
}
