/** A scenario in which nearly all is wrong: a person sees thousands of mistakes, and that there are more. */
import { describe, expect, it } from 'vitest';
import { validateScenario } from '../../src/scenario/scenario-parser.ts';
import { openSim } from '../support/open-sim.ts';

const times = <T>(count: number, item: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => item(n));
const stepsWith = (count: number, body: unknown) => ({
  steps: times(count, () => ({ request: { method: 'POST', path: '/api/v3/receipts', body } })),
});
const messagesOf = (scenario: unknown): string[] => validateScenario(scenario).map(({ message }) => message);

describe('a scenario with thousands of mistakes', () => {
  it('lists 2,000 of them, and says how many more there are', () => {
    const messages = messagesOf(
      stepsWith(
        12,
        times(500, (n) => `\${nobody${n}}`),
      ),
    );
    expect(messages).toHaveLength(2001);
    expect(messages.at(-1)).toBe('has 4000 more mistakes like these');
  });

  it('says that there are more where nobody looked for all', () => {
    const query = Object.fromEntries(times(900, (n) => [`x${n}`, []]));
    const messages = messagesOf({ steps: times(10, () => ({ request: { path: '/api/v3/stores', query } })) });
    expect(messages.at(-1)).toMatch(/^has (\d+ )?more mistakes like these/);
  });

  it('lists a thousand names of a step that nobody captures, and says that there are more', () => {
    const [messages, exact] = [1001, 1000].map((count) =>
      messagesOf(
        stepsWith(
          1,
          times(count, () => '${nobody}'),
        ),
      ),
    );
    expect(messages).toHaveLength(1001);
    expect(messages?.at(-1)).toBe('uses more names that no step before it captures');
    expect(exact).toHaveLength(1000);
    expect(exact?.at(-1)).toMatch(/^uses \$\{nobody\}, and no step before it captures that/);
  });

  it('is refused over HTTP with the first thousand, and how many more there are at least', async () => {
    const { call } = await openSim();
    const query = Object.fromEntries(times(900, (n) => [`x${n}`, []]));
    const body = { steps: times(20, () => ({ request: { path: '/api/v3/stores', query } })) };
    const { validationErrors } = (await call('PUT', '/__admin/scenario', { body })).body;
    expect(validationErrors).toHaveLength(1001);
    expect(validationErrors.at(-1).errorDescription).toMatch(/^and at least \d{4} more errors like these$/);
  });

  it('takes each step, rule and expectation that is right next to those that were looked at before', async () => {
    const { call } = await openSim();
    const fine = {
      ...stepsWith(2, { note: 'x'.repeat(20_000) }),
      rules: [{ fault: 503, match: { body: { a: 1 } } }],
      expectations: [{ request: { endpoint: 'createReceipt' }, never: true }],
    };
    const { status, body } = await call('PUT', '/__admin/scenario', { body: fine });
    expect(status).toBe(200);
    expect(body.scenario).toMatchObject({ rules: fine.rules, expectations: fine.expectations });
    const wrong = { ...fine, rules: [{ fault: 'nothing-like-this' }] };
    expect((await call('PUT', '/__admin/scenario', { body: wrong })).body.validationErrors).toHaveLength(1);
  });
});
