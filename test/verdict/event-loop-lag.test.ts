/** A simulator that was kept from working sees calls late, and finds no fault with a client for that. */
import { expect, it } from 'vitest';
import { scenarios } from '../clients/mutants.mjs';
import { dayOf, referenceTill } from '../support/clients.ts';

/** Nothing else in this process gets its turn. */
function standStill(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it.each(['updateContact', 'createReceipt', 'addPointTransactions', 'listPointAccounts'])(
  'fails nobody who gives a call up because the simulator stands still after %s',
  async (after) => {
    let stalls = 0;
    const { verdict, reason } = await dayOf(referenceTill, {
      scenario: {},
      timeout: 100,
      onRequest: (_, { endpoint }) => {
        if (endpoint === after && stalls++ === 0) setImmediate(() => standStill(500));
      },
    });
    expect(stalls).toBeGreaterThan(0);
    expect(verdict, reason).not.toBe('FAIL');
  },
);

const severe = scenarios.filter(({ rule }) => ['R10', 'R11'].includes(rule));

it.each(severe)('fails nobody while it stands still again and again, where another $name', async (day) => {
  const timer = setInterval(() => standStill(150), 250);
  try {
    const { verdict, reason } = await dayOf(referenceTill, { ...day, timeout: 120 });
    expect(verdict, reason).not.toBe('FAIL');
  } finally {
    clearInterval(timer);
  }
});
