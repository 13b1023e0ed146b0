/** Makes long work that a simulator does in several turns of the event loop, and calls it meanwhile. */
import { expect } from 'vitest';
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
  while (!sim.tenants.default.turns && !seen.isDone) await new Promise(setImmediate);
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

/** Adjusts points of a contact, which changes the tenant at once. */
export const adjustment = (contactId: string) => ({
  event: 'adjustPoints',
  contactId,
  definitionId: 1,
  amount: 7,
  description: 'm',
  by: 'manual',
});
