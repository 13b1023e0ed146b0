import { expect, it } from 'vitest';
import { explorationJunit } from '../../src/explore/report/reports.ts';
import { parseReport, schemaFaults } from '../support/junit.ts';
import { openSim } from '../support/open-sim.ts';
import { astrid } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';

const init = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(receiptOf(astrid, 'till-1')),
};

it('the report of an exploration has a case in JUnit for points that were left undecided next to a finding', async () => {
  const { sim } = await openSim();
  // It gives up at any fault.
  const exploration = await sim.explore(
    async ({ fetch }) => {
      const response = await fetch('/api/v3/receipts', init).catch(() => undefined);
      await response?.text().catch(() => {});
    },
    { level: 1, maxRuns: 1 },
  );
  expect(exploration.findings).toHaveLength(1);
  const open = { id: 'createReceipt#1.1/429', level: 1, status: 'undecided', reason: 'nobody was notified' } as const;
  const junit = explorationJunit({
    exploration: { ...exploration, points: [open] },
    fileOf: () => '',
    version: '0.1.0',
    at: '2026-03-01T12:00:00Z',
  });
  const root = parseReport(junit);
  expect(schemaFaults(root)).toEqual([]);
  expect(root.children[0]?.attributes).toMatchObject({ tests: '2', failures: '1', errors: '1' });
  expect(junit).toContain('<error message="createReceipt#1.1/429: nobody was notified"');
});
