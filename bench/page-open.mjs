/**
 * Measures what an open dashboard costs those who call the service: calls a second with its page open and without, in
 * turns. The simulator has one core; load and browser share the other, and the browser takes what the load leaves.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { temporaryFolder } from './folder.mjs';
import { load, requestText } from './load.mjs';
import { median, round, spread } from './numbers.mjs';
import { simServer, startServer } from './servers.mjs';
import { contactRequest, receipt } from './throughput.mjs';

const seconds = 5;
const pairs = 9;

const kinds = [
  { what: 'GET contact', status: 200, message: contactRequest },
  { what: 'POST receipt', status: 202, message: (n) => requestText('POST', '/api/v3/receipts', receipt(n)) },
];

const executable = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);

/**
 * Writes a program that starts the browser so that it runs when its core has nothing else to do. With the lowest
 * priority alone (nice 19) it still interrupts the load: an endless loop took 7 to 15 % of the calls a second away.
 */
function politeBrowser() {
  const file = join(temporaryFolder(), 'browser');
  writeFileSync(file, `#!/bin/sh\nexec chrt --idle 0 ${executable} "$@"\n`, { mode: 0o755 });
  return file;
}

const of = (measured, figure) => measured.map((one) => one[figure]);

/** Returns the processor time of a process in µs. */
function processorTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function measure(folder, { status, message }, browser) {
  const server = await startServer(simServer(folder));
  const { port, child } = server;
  execFileSync('taskset', ['-a', '-c', '-p', '0', child.pid], { stdio: 'ignore' });
  const page = await browser?.newPage();
  await page?.goto(`http://127.0.0.1:${port}/__admin/ui`);
  await page?.getByText('live', { exact: true }).waitFor();
  const options = { port, connections: 50, status };
  await load({ ...options, message, seconds: 1 });
  const before = processorTime(child.pid);
  const rate = await load({ ...options, message: (n) => message(n + 100_000_000), seconds });
  const used = (processorTime(child.pid) - before) / (rate * seconds);
  await page?.close();
  await server.stop();
  return { rate, used };
}

/** Measures calls a second with the dashboard open, against those without; needs Linux and Chromium. */
export async function pageOpen(folder) {
  if (executable === undefined || process.platform !== 'linux') return [];
  const browser = await chromium.launch({ executablePath: politeBrowser(), args: ['--no-sandbox'] });
  const rows = [];
  for (const kind of kinds) {
    const [without, open] = [[], []];
    for (let n = 0; n < pairs; n++) {
      without.push(await measure(folder, kind));
      open.push(await measure(folder, kind, browser));
    }
    const used = [without, open].map((measured) => round(median(of(measured, 'used'))));
    rows.push({
      what: `${kind.what}, without the dashboard and with its page open; processor time of a request: ${used[0]} and ${used[1]} µs`,
      bare: `${round(median(of(without, 'rate')))}/s`,
      sim: `${round(median(of(open, 'rate')))}/s (${spread(of(open, 'rate'))})`,
      ratio: median(open.map(({ rate }, n) => rate / without[n].rate)),
      target: 0.9,
      better: 'higher',
    });
  }
  await browser.close();
  return rows;
}
