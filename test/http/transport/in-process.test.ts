/** Faults as a caller in process meets them: as Node's fetch meets them over a socket. */
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from '../../../src/core/exchange/exchange.ts';
import type { Sim } from '../../../src/simulator/sim.ts';
import { kinds } from '../../support/fault-kinds.ts';
import { openEmptySim } from '../../support/open-sim.ts';
import { ella } from '../../support/people.ts';

let sim: Sim | undefined;

afterEach(() => sim?.close());

const url = 'http://localhost/api/v3/contacts/none';
const json = { 'content-type': 'application/json' };

/** A sim whose calls all meet a fault. */
async function openFaulty(fault: unknown): Promise<Sim> {
  const { sim: own } = await openEmptySim();
  sim = own;
  const init = { method: 'POST', body: JSON.stringify({ fault }), headers: json };
  expect((await own.fetch(new Request('http://localhost/__admin/faults', init))).status).toBe(201);
  return own;
}

/** The last exchange, when it is closed. */
async function lastNoted({ tenants }: Sim): Promise<Exchange | undefined> {
  const last = (): Exchange | undefined => [...tenants.default.journal.exchanges()].at(-1);
  await vi.waitFor(() => expect(last()?.finishedAt).toBeDefined(), { interval: 2, timeout: 100_000 });
  return last();
}

/** All that a caller of fetch can tell of what it got; what it can tell so far is in `told`. */
async function tell(calling: Promise<Response>, told: unknown[]): Promise<unknown> {
  try {
    const response = await calling;
    told.push(response.status, response.headers.get('content-length'));
    let body = '';
    for await (const chunk of response.body ?? []) body = told[2] = body + Buffer.from(chunk).toString();
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: Error & { code?: string } };
    told.push({ name, message, cause: cause && [cause.name, cause.message, cause.code] });
  }
  return told;
}

/** Gives up a call that hangs, when all that comes has come. */
async function callIn(own: Sim, calling: (init: RequestInit) => Promise<Response>): Promise<unknown> {
  const giveUp = new AbortController();
  const told: unknown[] = [];
  const telling = tell(calling({ signal: giveUp.signal }), told);
  const { fault, delivered } = (await lastNoted(own)) ?? {};
  if (fault?.fault.end !== 'hang') return telling;
  const hasCome = (): boolean =>
    told[0] === delivered?.status && String(told[2] ?? '').length === (delivered?.body ?? '').length;
  const isOver = telling.then(() => true);
  while (!hasCome() && !(await Promise.race([isOver, pause(5)])));
  // What has come whole ends by itself.
  await Promise.race([isOver, pause(50)]);
  giveUp.abort();
  return telling;
}

// The number of the request is in the answer of either.
const alike = (told: unknown): unknown => JSON.parse(JSON.stringify(told).replaceAll(/default-\d/g, 'default-n'));

it.each(kinds)('$name shows as by fetch over a socket', async ({ fault }) => {
  const own = await openFaulty(fault);
  const { port } = await own.listen();
  const there = await callIn(own, (init) => fetch(url.replace('localhost', `127.0.0.1:${port}`), init));
  const here = await callIn(own, (init) => own.fetch(new Request(url, init)));
  expect(alike(here)).toEqual(alike(there));
});

const post = (signal: AbortSignal): Request =>
  new Request('http://localhost/api/v3/contacts', {
    method: 'POST',
    body: JSON.stringify(ella),
    headers: json,
    signal,
  });

describe('a caller that gives up', () => {
  it('changes nothing about the work', async () => {
    const own = await openFaulty({ delay: 100 });
    await expect(own.fetch(post(AbortSignal.timeout(10)))).rejects.toThrow('timeout');
    expect(await lastNoted(own)).toMatchObject({
      status: undefined,
      delivered: { end: 'client-aborted' },
      response: { status: 201 },
    });
  });

  it('before its call makes none', async () => {
    const own = await openFaulty(500);
    await expect(own.fetch(post(AbortSignal.abort()))).rejects.toThrow('aborted');
    expect(own.tenants.default.journal.size).toBe(0);
  });

  it('ends the stream of events that it read, or asked for', async () => {
    const own = await openFaulty(500);
    const events = 'http://localhost/__admin/events';
    for (let i = 0; i < 40; i++) {
      const giveUp = new AbortController();
      const asked = own.fetch(new Request(events, { signal: giveUp.signal }));
      if (i % 2 > 0) giveUp.abort();
      const told = asked.then((response) => {
        giveUp.abort();
        return response.text();
      });
      await expect(told).rejects.toThrow('aborted');
    }
    // No more than 32 readers may listen at once.
    const { status, body } = await own.fetch(new Request(events));
    expect(status).toBe(200);
    await body?.cancel();
  });

  it('in the middle of a body is noted', async () => {
    const own = await openFaulty({ dribble: { chunks: 2, interval: 60_000 } });
    const reader = (await own.fetch(new Request(url))).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect((await lastNoted(own))?.delivered).toMatchObject({ status: 404, end: 'client-aborted' });
  });
});

describe('what hangs', () => {
  it.each([
    ['none', 'fetch failed'],
    ['partial', 'terminated'],
  ])('with %s fails when the simulator closes', async (respond, message) => {
    const own = await openFaulty({ respond, end: 'hang' });
    const reading = own.fetch(new Request(url)).then((response) => response.text());
    await lastNoted(own);
    await Promise.all([own.close(), expect(reading).rejects.toThrow(message)]);
  });
});

/** Calls with a time limit that keeps no process alive, by a request that nobody else holds. */
const lonelyCaller = `
  import { createSim } from './dist/index.js';
  const sim = await createSim({ fixtures: 'empty' });
  await sim.faults.add({ fault: { respond: process.argv[1], end: 'hang' } });
  setTimeout(gc, 50).unref();
  const response = sim.fetch(new Request('http://localhost/api/v3/stores', { signal: AbortSignal.timeout(200) }));
  await response.then((answer) => answer.text()).catch((error) => console.log(error.name));
  await sim.close();`;

it.each(['none', 'headers', 'partial'])(
  'a caller that is left hanging with %s hears of its own limit',
  async (respond) => {
    const args = ['--expose-gc', '--input-type=module', '-e', lonelyCaller, respond];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe('TimeoutError\n');
  },
);
