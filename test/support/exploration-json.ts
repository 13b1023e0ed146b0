/** Holds an explore.json as it stands in pictures: always the same, whatever explore finds today. */
import { pointPhases, phaseOf } from '../../src/explore/report/coverage-table.ts';
import { probes, standInFor } from '../../src/explore/probes.ts';

const calls = [
  { id: 'createReceipt#1.1', retry: 'keyed', endpoint: 'createReceipt' },
  { id: 'createReceipt#2.1', retry: 'keyed', endpoint: 'createReceipt' },
  { id: 'addPointTransactions#1.1', retry: 'unkeyed', endpoint: 'addPointTransactions' },
  { id: 'getContact#1.1', retry: 'safe', endpoint: 'getContact' },
] as const;

const broken = new Set(['lost', '504', 'hang', 'cut'].map((fault) => (fault === 'cut' ? fault : `${fault}-after`)));

const finding = 'R10 addPointTransactions';

const points = calls.flatMap(({ id, retry, endpoint }) =>
  probes.map((probe, i) => {
    const point = `${id}/${probe.id}`;
    const stand = standInFor(probe, retry);
    const phase = phaseOf({ id: point });
    if (stand !== probe)
      return { id: point, level: 1, phase, status: 'equivalent', witness: `${id}/${stand.id}`, run: 3 + i };
    if (endpoint === 'addPointTransactions' && broken.has(probe.id))
      return { id: point, level: 1, phase, status: 'found', reason: finding, run: 3 + i };
    const isOpen = endpoint === 'getContact' && probe.kind === 'rejected';
    return { id: point, level: 1, phase, status: isOpen ? 'not-tried' : 'tried', ...(!isOpen && { run: 3 + i }) };
  }),
);

const kills = pointPhases.slice(0, 3).map((phase, i) => ({
  id: `createReceipt#1.1/killed-${['before', 'work', 'response'][i]}`,
  level: 6,
  phase,
  status: 'tried',
  run: 30 + i,
}));

export const pictureOfExploration = {
  verdict: 'FAIL',
  reason: '1 finding',
  points: [...points, ...kills],
  findings: [
    {
      rule: 'R10',
      title: 'does its work once',
      endpoint: 'addPointTransactions',
      message: 'contact 100001 has 10 points too many: POST /point-accounts/transactions took effect twice',
      advice: 'Give the request a key of its own and keep it over all attempts.',
      faults: ['the 1st addPointTransactions gets status 504; it was done'],
      points: ['addPointTransactions#1.1/504-after'],
    },
  ],
};
