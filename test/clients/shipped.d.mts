import type { PolicyInput } from '../../src/scenario/policy-schema.ts';

interface ShippedDay {
  readonly email?: string;
  readonly isMaster?: boolean;
  readonly checkouts?: number;
  readonly advance?: string;
}

export const tillPolicy: PolicyInput;
export const shippedDays: Readonly<Record<string, ShippedDay>>;
