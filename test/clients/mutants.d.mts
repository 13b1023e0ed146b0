import type { SimOptions } from '../../src/sim.ts';

interface Mutant {
  readonly name: string;
  readonly rule: string;
  readonly scenario: NonNullable<SimOptions['scenario']>;
  readonly change: readonly string[];
  readonly email?: string;
  readonly checkouts?: number;
  readonly pauses?: readonly number[];
}

export const mutants: readonly Mutant[];
export const scenarios: readonly Mutant[];
export function mutate(text: string, mutant: Mutant): string;
