/** Makes long work that a simulator does in several turns of the event loop, and calls it meanwhile. */
import { expect } from 'vitest';
import { SideEffects } from '../../src/core/exchange/exchange.ts';
import { adjustPoints } from '../../src/service/points/operations.ts';
import type { Client } from './client.ts';

/** Creating them takes several turns of 15 ms on any machine: so much that its speed does not matter. */
export const crowd = Array.from({ length: 4000 }, (_, n) => ({
  email: `crowd${n}@example.com`,
  firstName: `First ${n}`,
}));

/** Calls the default tenant, and goes on in the first turn after its work has begun. */
export async function begin<Answer>({ sim }: Client, call: () => Promise<Answer>) {
  const seen = { isDone: false };
  const answer = call().finally(() => (seen.isDone = true));
  while (!sim.tenants.default.isInTurns && !seen.isDone) await new Promise(setImmediate);
  return { answer, isDone: () => seen.isDone };
}

/** Calls another tenant until something is done, and returns how often it responded before. */
export async function servedUntil({ get }: Client, isDone: () => boolean): Promise<number> {
  for (let served = 0; ; served++) {
    expect((await get('/t/other/api/v3/contacts/count')).body).toBe(0);
    if (isDone()) return served;
    await new Promise(setImmediate);
  }
}

/** Adjusts points of a contact of the default tenant without waiting for anybody, as an attempt to send a webhook is recorded. */
export function adjustAtOnce({ sim }: Client, contactId: string): void {
  const tenant = sim.tenants.default;
  const adjustment = { contactId, definitionId: 1, amount: 7, description: 'm', by: 'manual' as const };
  tenant.transact(new SideEffects(), () => adjustPoints(tenant, adjustment));
}

/** Adjusts points of a contact by the control API. */
export const adjustment = (contactId: string) => ({
  event: 'adjustPoints',
  contactId,
  definitionId: 1,
  amount: 7,
  description: 'm',
  by: 'manual',
});
