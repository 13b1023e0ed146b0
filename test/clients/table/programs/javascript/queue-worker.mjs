/** Works off a folder of jobs, oldest first; may be killed at any moment and started again. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  advance,
  astrid,
  behaviour,
  bonus,
  crash,
  elin,
  folder,
  isFailed,
  johan,
  paths,
  pause,
  post,
  receipt,
  rest,
  retry,
} from './kit.mjs';

const [client] = rest;
const headers = client === undefined ? {} : { 'x-sim-client': client };
const jobs = join(folder, 'jobs');
const isRestarted = existsSync(jobs);

function put(name, job) {
  writeFileSync(join(jobs, name), JSON.stringify(job));
}

function fill() {
  mkdirSync(jobs);
  if (behaviour.endsWith('points')) put('1', { path: paths.bulkPoints, body: [bonus(astrid, 50), bonus(johan, 20)] });
  else
    for (const [i, who] of [astrid, johan, elin].entries())
      put(`${i}`, { path: paths.receipts, body: receipt(who, `job-${i}`) });
}

const send = ({ path, body }) => post(path, body, { headers });

/** Sends what is in the folder, and deletes each when it is accepted. */
async function work({ crashAfter, drawKey = false, pauses = [60, 120] }) {
  for (const [i, name] of readdirSync(jobs).toSorted().entries()) {
    const job = JSON.parse(readFileSync(join(jobs, name), 'utf8'));
    if (drawKey) job.body.uniqueReceiptId = `${job.body.uniqueReceiptId}-${process.pid}`;
    const response = await retry(() => send(job), pauses);
    if (isFailed(response)) return;
    if (i === crashAfter) await crash();
    rmSync(join(jobs, name));
  }
}

if (!isRestarted) fill();

const ways = {
  async 'at-least-once'() {
    await work({ crashAfter: isRestarted ? undefined : 1 });
  },
  async 'at-least-once-points'() {
    await work({ crashAfter: isRestarted ? undefined : 0 });
  },
  async 'new-keys'() {
    await work({ crashAfter: isRestarted ? undefined : 1, drawKey: true });
  },
  async 'disk-queue'() {
    await work({});
    if (!isRestarted) await crash();
    await advance('5m');
    await work({});
  },
  async 'memory-queue'() {
    if (isRestarted) return send({ path: paths.receipts, body: receipt(elin, 'job-after') });
    const kept = [];
    for (const [i, who] of [astrid, johan].entries()) {
      const job = { path: paths.receipts, body: receipt(who, `job-${i}`) };
      if (isFailed(await retry(() => send(job), [60, 120]))) kept.push(job);
    }
    await crash();
  },
  async 'crash-while-waiting'() {
    const job = { path: paths.receipts, body: receipt(astrid, 'job-0') };
    if (isRestarted) return retry(() => send(job));
    await send(job);
    await pause(50);
    await crash();
  },
};

await ways[behaviour]();
