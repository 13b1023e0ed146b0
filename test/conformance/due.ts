/** Which rows are to have a case: all of the specification but those that divergences.ts names. */
import type { AssumptionId } from '../../src/resources/assumptions.ts';
import { assumptionsNotYet, fieldTablesNotYet, rulesNotYet, transitionsNotYet, errorsNotYet } from './divergences.ts';
import type { errors } from './spec/errors.ts';
import type { rules } from './spec/rules.ts';
import type { transitions } from './spec/transitions.ts';

export type RuleId = Exclude<(typeof rules)[number]['id'], (typeof rulesNotYet)[number]>;
export type TransitionId = Exclude<(typeof transitions)[number]['id'], (typeof transitionsNotYet)[number]>;
export type ErrorId = Exclude<(typeof errors)[number]['id'], (typeof errorsNotYet)[number]>;
export type DueAssumption = Exclude<AssumptionId, (typeof assumptionsNotYet)[number]>;

const notYet = new Set<string>([
  ...rulesNotYet,
  ...transitionsNotYet,
  ...errorsNotYet,
  ...fieldTablesNotYet,
  ...assumptionsNotYet,
]);

/** Whether a row, by its id or its table, is to have a case. */
export const isDue = (id: string): boolean => !notYet.has(id);
