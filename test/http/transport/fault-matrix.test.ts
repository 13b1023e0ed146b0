/**
 * Endpoint × phase × kind of fault, each over a socket of its own: the client sees what the kind promises, and the
 * tenant is untouched (`before`), or as the same call leaves it without a fault (`after`).
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/core/exchange/endpoint.ts';
import type { Exchange } from '../../../src/core/exchange/exchange.ts';
import { diffStates } from '../../../src/core/state/state.ts';
import type { Tenant } from '../../../src/core/tenant/tenant.ts';
import { endpoints } from '../../../src/service/endpoints.ts';
import type { Sim } from '../../../src/simulator/sim.ts';
import { calledPath } from '../../support/examples.ts';
import { kinds } from '../../support/fault-kinds.ts';
import type { Kind, Real, Seen } from '../../support/fault-kinds.ts';
import { openSim } from '../../support/open-sim.ts';
import { isComplete, openWire, parseAnswer, rawRequest } from '../../support/wire.ts';
import type { Wire } from '../../support/wire.ts';

interface Cell {
  /** Of its tenant: ids follow from it. */
  readonly tenant: string;
  readonly endpoint: Endpoint;
  readonly phase: 'before' | 'after';
  readonly kind: Kind;
}

/** Everything about a cell that is seen, and that is promised. */
interface Outcome {
  readonly cell: string;
  readonly seen: Seen;
  readonly state: unknown;
  readonly noted: unknown;
}

/** One for the cells of a kind together, one for all of them. */
let sims: readonly [Sim, Sim];
/** The same without faults. */
let twin: Sim;

beforeAll(async () => {
  sims = [(await openSim()).sim, (await openSim()).sim];
  ({ sim: twin } = await openSim());
  await Promise.all(sims.map((sim) => sim.listen()));
});

afterAll(() => Promise.all(sims.map((sim) => sim.close())));

const groups = (['before', 'after'] as const).flatMap((phase) =>
  kinds.map((kind, i) => ({
    name: `${phase}: ${kind.name}`,
    cells: endpoints.map((endpoint): Cell => ({ tenant: `${endpoint.id}-${phase}-${i}`, endpoint, phase, kind })),
  })),
);

const nameOf = ({ endpoint, phase, kind }: Cell): string => `${endpoint.id}, ${phase}, ${kind.name}`;

function requestOf({ tenant, endpoint }: Cell) {
  const [example = { status: 0 }] = endpoint.examples;
  return { method: endpoint.method, path: `/t/${tenant}${calledPath(endpoint.path, example)}`, body: example.body };
}

/** All that a tenant has in its state beside what it began with. */
const stateOf = ({ seedState, state }: Tenant) => ({
  changes: [...diffStates(seedState, state)],
  sequences: state.sequences,
});

async function control(sim: Sim, path: string, body: unknown): Promise<void> {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const { status } = await sim.fetch(new Request(`http://localhost/__admin${path}`, init));
  expect(status).toBeLessThan(300);
}

/** Carries out a cell. */
async function observe(cell: Cell, sim: Sim): Promise<Outcome> {
  const tenant = sim.tenants.getOrCreate(cell.tenant);
  await control(sim, `/faults?tenant=${cell.tenant}`, {
    fault: { ...cell.kind.fault, phase: cell.phase },
    times: 1,
  });
  const { method, path, body } = requestOf(cell);
  const wire = openWire(Number(new URL(sim.url ?? '').port));
  const settled = settledIn(tenant);
  wire.write(rawRequest(method, path, body));
  const { delivered } = await settled;
  const seen = await see(wire, cell, sim);
  wire.close();
  return {
    cell: nameOf(cell),
    seen,
    state: stateOf(tenant),
    noted: delivered && { status: delivered.status, end: delivered.end },
  };
}

/** Resolves when the journal has closed the tenant's next exchange. */
const settledIn = ({ journal }: Tenant): Promise<Exchange> =>
  new Promise((resolve) => {
    const stop = journal.onCompleted((exchange) => {
      stop();
      resolve(exchange);
    });
  });

async function see(wire: Wire, cell: Cell, sim: Sim): Promise<Seen> {
  const end = await endOf(wire, cell, sim);
  const { status, headers, body } = parseAnswer(wire.heard());
  const length = headers['content-length'];
  const isGarbage = status === undefined && body.length > 0;
  return {
    status,
    length: length === undefined ? undefined : Number(length),
    body: isGarbage ? 'garbage' : body.toString('latin1'),
    end,
  };
}

async function endOf(wire: Wire, { tenant, kind }: Cell, sim: Sim): Promise<Seen['end']> {
  const { end = 'normal' } = kind.fault;
  if (end === 'normal') {
    await wire.until(isComplete);
    return wire.end() ?? 'open';
  }
  if (end !== 'hang') return wire.ended;
  // Time for an end to come that mustn't.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const early = wire.end();
  await control(sim, `/reset?tenant=${tenant}`, { scopes: ['faults'] });
  await wire.ended;
  return early ?? 'hang';
}

/** What a cell must come to. */
async function promise(cell: Cell): Promise<Outcome> {
  const { method, path, body } = requestOf(cell);
  const headers = { 'user-agent': 'test', ...(body !== undefined && { 'content-type': 'application/json' }) };
  const answer = await twin.fetch(
    new Request(`http://localhost${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) }),
  );
  const real: Real = { status: answer.status, body: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
  const seen = cell.kind.promise(real);
  const tenant = twin.tenants.getOrCreate(cell.tenant);
  const { respond = cell.kind.fault['status'] === undefined ? 'full' : 'status' } = cell.kind.fault;
  const isWorked = cell.phase === 'after' || respond === 'full';
  return {
    cell: nameOf(cell),
    seen,
    state: isWorked ? stateOf(tenant) : { changes: [], sequences: tenant.seedState.sequences },
    noted: { status: seen.status, end: seen.end === 'open' ? 'normal' : seen.end },
  };
}

const promises = new Map<Cell, Promise<Outcome>>();

/** The same on every sim. */
async function promised(cell: Cell): Promise<Outcome> {
  const known = promises.get(cell) ?? promise(cell);
  promises.set(cell, known);
  return known;
}

it.each(groups)('$name, at every endpoint', async ({ cells }) => {
  const outcomes = await Promise.all(cells.map((cell) => observe(cell, sims[0])));
  expect(outcomes).toEqual(await Promise.all(cells.map(promised)));
});

// In parts, of which each is over in time on a machine that is busy with other things.
const parts = 8;

it.each(Array.from({ length: parts }, (_, part) => part))('all of them, 64 at once: part %i', async (part) => {
  const cells = groups.flatMap((group) => group.cells).filter((_, i) => i % parts === part);
  const outcomes: Outcome[] = [];
  const waiting = cells.entries();
  const work = async (): Promise<void> => {
    for (const [i, cell] of waiting) outcomes[i] = await observe(cell, sims[1]);
  };
  await Promise.all(Array.from({ length: 64 }, work));
  expect(outcomes).toEqual(await Promise.all(cells.map(promised)));
});
