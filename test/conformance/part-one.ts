/** What belongs to part 1: contacts, consents, receipts, transactions, orders, promotions. */
import type { AssumptionId } from '../../src/resources/assumptions.ts';
import type { rules } from './spec/rules.ts';
import type { transitions } from './spec/transitions.ts';

type PartOne<Row extends { readonly part: number; readonly id: string }> = Extract<Row, { readonly part: 1 }>['id'];

export type RuleId = PartOne<(typeof rules)[number]>;
export type TransitionId = PartOne<(typeof transitions)[number]>;

/** */
export const isPartOne = (id: AssumptionId): boolean => id <= 'A-33' || id >= 'A-52';
