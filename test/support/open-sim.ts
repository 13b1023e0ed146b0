/** Opens simulators for tests, each with a clock that stands still on 1 March 2026 unless the options say otherwise. */
import type { RuleSpec } from '../../src/faults/rule-schema.ts';
import type { ScenarioInput } from '../../src/scenario/scenario-schema.ts';
import { createSim } from '../../src/simulator/create-sim.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import type { SimOptions } from '../../src/simulator/options.ts';
import { clientOf } from './client.ts';
import type { Client } from './client.ts';
import { ada } from './people.ts';

/** Opens a simulator of its own on the default fixture, and a client to call it in process. */
export const openSim = async (options: SimOptions = {}): Promise<Client> => clientOf(await startSim(options));

/** Starts a simulator, without a client to call it. */
export const startSim = (options: SimOptions = {}): Promise<Sim> =>
  createSim({ now: '2026-03-01T12:00:00Z', fixtures: 'fixtures/default.json', ...options });

type OpenSim = (options?: SimOptions) => Promise<Client>;

const openOn =
  (fixtures: string): OpenSim =>
  (options = {}) =>
    openSim({ fixtures, ...options });

/** Opens a retailer without customers, for what does not depend on any. */
export const openEmptySim: OpenSim = openOn('empty');

/** Opens the retailer of the conformance cases. */
export const openRetailerSim: OpenSim = openOn('test/conformance/retailer.json');

/** Opens a shop that takes receipts. */
export const openShopSim: OpenSim = openOn('test/support/shop.json');

/** Opens a shop whose contacts have promotions. */
export const openOffersSim: OpenSim = openOn('test/support/offers.json');

/** Opens a retailer with a point definition of every kind. */
export const openPointsSim: OpenSim = openOn('test/support/points.json');

/** Opens one in which points come of purchases: at once in tenths, and in full after a fortnight. */
export const openPointShopSim: OpenSim = openOn('test/support/point-shop.json');

/** Opens a shop with challenges of every rule and status. */
export const openChallengesSim: OpenSim = openOn('test/support/challenges.json');

/** Opens a retailer whose only contact is Ada. */
export async function openSimWithAda(options: SimOptions = {}): Promise<{ client: Client; id: string }> {
  const client = await openEmptySim(options);
  const { body } = await client.post('/api/v3/contacts', ada);
  return { client, id: body.id };
}

/** Opens one in which these fault rules are active. */
export const openSimWithRules = (rules: RuleSpec[], options: SimOptions = {}): Promise<Client> =>
  openSim({ scenario: { rules }, ...options });

type Faults = Readonly<Record<string, readonly (number | 'lost')[]>>;

const lost = { phase: 'after', respond: 'none', end: 'reset' } as const;

/** Opens one whose endpoints fail in turn as listed, by a status or by losing the response. */
export function openFailingSim(
  faults: Faults,
  policy?: ScenarioInput['policy'],
  options: SimOptions = {},
): Promise<Client> {
  const rules = Object.entries(faults).map(([endpoint, list]) => ({
    match: { endpoint },
    fault: list.map((fault) => (fault === 'lost' ? lost : { status: fault })),
  }));
  return openSim({ scenario: { rules, ...(policy && { policy }) } as ScenarioInput, ...options });
}
