import { fromResources } from './resources.ts';

/** Names the one event that is none of a noun's: a point master sends its balances. */
export const syncBalances = 'syncBalances';

/** Lists the events that a tester can let happen inside the service; their schemas are built elsewhere. */
export const triggerEvents: readonly string[] = [
  ...fromResources(({ triggers }) => triggers && Object.keys(triggers)),
  syncBalances,
];
