/** Opens a simulator on a socket whose next request a fault hits, and reads what comes of it. */
import { expect, vi } from 'vitest';
import type { Exchange } from '../../src/core/exchange/exchange.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import { openEmptySim } from './open-sim.ts';
import { openWire } from './wire.ts';
import type { Wire } from './wire.ts';

let sim: Sim | undefined;
const wires = new Set<Wire>();

/** Closes all of them; is to be called after each test. */
export async function closeServed(): Promise<void> {
  for (const wire of wires) wire.close();
  wires.clear();
  await sim?.close();
}

export const count = '/api/v3/contacts/count';

export interface Served {
  readonly wire: () => Wire;
  readonly port: number;
  /** Resolves with the next exchange that the journal closes. */
  readonly settled: () => Promise<Exchange>;
  readonly contacts: () => Promise<number>;
  readonly reset: () => Promise<unknown>;
}

/** Opens a sim whose next request a fault hits. */
export async function openSimWithFault(fault?: unknown): Promise<Served> {
  const { sim: own } = await openEmptySim();
  sim = own;
  const { port } = await own.listen();
  const post = (path: string, body: unknown): Promise<Response> =>
    own.fetch(new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify(body), headers: json }));
  if (fault !== undefined) expect((await post('/__admin/faults', { fault, times: 1 })).status).toBe(201);
  return {
    wire: () => {
      const wire = openWire(port);
      wires.add(wire);
      return wire;
    },
    port,
    settled: () => nextExchange(own),
    contacts: async () => (await own.fetch(new Request(`http://localhost${count}`))).json() as Promise<number>,
    reset: () => post('/__admin/reset', { scopes: ['faults'] }),
  };
}

export const json = { 'content-type': 'application/json' };

function nextExchange({ tenants }: Sim): Promise<Exchange> {
  return new Promise((resolve) => {
    const stop = tenants.default.journal.onCompleted((exchange) => {
      stop();
      resolve(exchange);
    });
  });
}

export const exchangesSoFar = (): readonly Exchange[] => [...(sim?.tenants.default.journal.exchanges() ?? [])];

/** Returns the only exchange so far. */
export const noted = (): Exchange | undefined => exchangesSoFar()[0];

export const eventually = (isSo: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(isSo()).toBe(true), { interval: 2, timeout: 100_000 });

/** Returns the statuses of the responses that came, one after another. */
export const statuses = (heard: Buffer): string[] =>
  [...heard.toString().matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? '');

export const answers = (wanted: number) => (heard: Buffer) => statuses(heard).length >= wanted;
