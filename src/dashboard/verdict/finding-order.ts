/** Puts findings in the order in which all views show them: what fails first, and the harm before how it came about. */
import type { ShownOperation } from '../api/api-types.ts';

type Finding = Pick<ShownOperation['findings'][number], 'rule' | 'level'>;

const ranks = { fail: 0, inconclusive: 1, note: 2 } as const;

/** Names the rules whose findings say what is wrong in the end: done twice, lost, doubled, missing. */
const harms: ReadonlySet<string> = new Set(['R10', 'R13', 'R14', 'R16']);

const numberOf = (rule: string): number => Number(rule.replace(/\D/g, ''));

/** Compares two findings; those of one level come by the number of their rule, harm first. */
export const byHarm = (left: Finding, right: Finding): number =>
  ranks[left.level] - ranks[right.level] ||
  Number(harms.has(right.rule)) - Number(harms.has(left.rule)) ||
  numberOf(left.rule) - numberOf(right.rule);
