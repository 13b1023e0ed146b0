import type { ScenarioSpec } from '../../src/scenario/scenario-schema.ts';

export interface Mutant {
  readonly name: string;
  readonly rule: string;
  readonly also?: readonly string[];
  readonly scenario: ScenarioSpec;
  readonly change: readonly string[];
  readonly email?: string;
  readonly checkouts?: number;
  readonly linger?: number;
  readonly rounds?: number;
}

export const mutants: readonly Mutant[];
export const scenarios: readonly Mutant[];
export function mutate(text: string, mutant: Mutant): string;
