import type { PolicyInput } from '../../src/scenario/policy-schema.ts';

interface ShippedDay {
  readonly email?: string;
  readonly isMaster?: boolean;
  readonly checkouts?: number;
  readonly advance?: string;
}

interface Pauses {
  readonly pauses: readonly number[];
  readonly fallbackPause: number;
  readonly timeout: number;
  readonly isReal?: boolean;
}

export const tillPolicy: PolicyInput;
export const realPolicy: PolicyInput;
export const tillPauses: Pauses;
export const realPauses: Pauses;
export const shippedDays: Readonly<Record<string, ShippedDay>>;
