/** What belongs to part 1: contacts, consents, receipts, transactions, orders, promotions. */
import type { AssumptionId } from '../../src/resources/assumptions.ts';
import type { errors } from './spec/errors.ts';
import type { rules } from './spec/rules.ts';
import type { transitions } from './spec/transitions.ts';

type PartOne<Row extends { readonly part: number; readonly id: string }> = Extract<Row, { readonly part: 1 }>['id'];

export type RuleId = PartOne<(typeof rules)[number]>;
export type TransitionId = PartOne<(typeof transitions)[number]>;

export type ErrorId = PartOne<(typeof errors)[number]>;

type PartTwo = `A-3${4 | 5 | 6 | 7 | 8 | 9}` | `A-4${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}` | `A-5${0 | 1}`;

export type PartOneAssumption = Exclude<AssumptionId, PartTwo>;

/** */
export const isPartOne = (id: AssumptionId): id is PartOneAssumption => id <= 'A-33' || id >= 'A-52';
