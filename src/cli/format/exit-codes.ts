import type { Verdict } from '../../verdict/verdict.ts';

export const verdictExitCodes: Readonly<Record<Verdict['verdict'], number>> = { PASS: 0, FAIL: 1, INCONCLUSIVE: 3 };
