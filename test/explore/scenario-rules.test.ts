import { describe, expect, it } from 'vitest';
import type { ExploredClient } from '../../src/explore/run.ts';
import { replayRules, shrinkScenario } from '../../src/explore/scenario-rules.ts';
import type { RuleInput } from '../../src/faults/rule-schema.ts';
import { scenarioSchema } from '../../src/scenario/scenario-schema.ts';
import type { ScenarioInput } from '../../src/scenario/scenario-schema.ts';
import { openSim } from '../support/open-sim.ts';
import { astrid } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';

/** Sends a receipt once, and never again, whatever comes of it. */
async function sellOnce(): Promise<ExploredClient> {
  const { sim } = await openSim();
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(receiptOf(astrid, 'till-1')),
  };
  return {
    openTenant: (run) => sim.tenants.getOrCreate(`sale-${run}`),
    closeTenant: ({ name }) => void sim.tenants.remove(name),
    run: async ({ name }) => {
      const response = await sim
        .tenant(name)
        .fetch('/api/v3/receipts', init)
        .catch(() => undefined);
      await response?.text().catch(() => {});
      return {};
    },
  };
}

const rulesOf = ({ rules = [], webhooks = [] }: ScenarioInput) => {
  const parsed = scenarioSchema.parse({ rules, webhooks });
  return { rules: parsed.rules ?? [], webhooks: parsed.webhooks ?? [] };
};

const match = { endpoint: 'createReceipt' };

/** Lists faults after which the sale is lost, in every form that a rule may have. */
const forms: readonly (readonly [string, RuleInput['fault'], written: unknown])[] = [
  ['a number', 504, '504'],
  ['a text', '504', '504'],
  ['a status', { status: 504 }, '504'],
  ['a phase and a status', { phase: 'before', status: 504 }, '504'],
  ['a body', { status: 504, body: 'late' }, { status: 504, body: 'late' }],
  ['a name', 'CONNECTION_RESET_BY_PEER', '504'],
  ['a name that explore does not try', 'RANDOM_DATA_THEN_CLOSE', 'RANDOM_DATA_THEN_CLOSE'],
  ['a list of numbers', [504, 504], '504'],
  ['a list of several', [{ respond: 'garbage' }, 'ok', 504], { respond: 'garbage' }],
  ['garbage', { respond: 'garbage', bytes: 8 }, { respond: 'garbage', bytes: 8 }],
];

describe('the rules of a scenario', () => {
  it.each(forms)('are replayed and shrunk with %s as their fault', async (_, fault, written) => {
    const { rules, webhooks } = rulesOf({ rules: [{ match, fault }], webhooks: [{ fault: 'tamper' }] });
    const client = await sellOnce();
    const { symptoms, hits } = await replayRules(client, { rules, webhooks });
    expect([hits, symptoms.map((list) => list.map(({ rule }) => rule))]).toEqual([3, [['R1'], ['R1'], ['R1']]]);
    expect(await shrinkScenario(client, rules)).toMatchObject({
      isReproduced: true,
      rules: [{ match, operation: 1, attempt: 1, times: 1, fault: written }],
    });
  });

  it.each([504, { status: 504 }, 'CONNECTION_RESET_BY_PEER'] as const)(
    'have their state compared when explore tries their fault: %j',
    async (fault) => {
      const { note } = await replayRules(await sellOnce(), rulesOf({ rules: [{ match, fault }] }));
      expect(note).toBeUndefined();
    },
  );

  it('count a hit for the rule that it was of, also where another has the name of its place', async () => {
    const other = { match: { endpoint: 'getContact' }, fault: '503' } as const;
    const { rules } = rulesOf({ rules: [other, { match, fault: '504' }, { id: 'rule-2', ...other }] });
    const { hits } = await shrinkScenario(await sellOnce(), rules);
    expect(hits).toMatchObject([{ endpoint: 'createReceipt', probe: '504' }]);
  });
});
