import { getJunitXml } from 'junit-xml';
import { itemsOf } from './reported.ts';
import type { Item, ReportedRun } from './reported.ts';

/** Characters that no XML document may hold. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const clean = (text: string): string => text.toWellFormed().replaceAll(forbidden, '?');

interface Suite {
  readonly name: string;
  /** How long it took. */
  readonly ms?: number;
  readonly items: readonly Item[];
}

/** Suites as JUnit XML, a case for each thing judged; INCONCLUSIVE is an error, FAIL a failure. */
export function suitesReport(suites: readonly Suite[]): string {
  const cases = suites.map(({ name, ms = 0, items }) => ({
    name: clean(name),
    time: seconds(ms),
    testCases: items.map(caseOf),
  }));
  const xml = getJunitXml({ name: 'loyalty-sim', suites: cases }, { schema: 'ant-junit' });
  // Messages stand in attributes, where a reader takes a bare line end for a space.
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml.replaceAll('\n', '&#10;')}\n`;
}

/** The runs as JUnit XML: a suite for each. */
export const junitReport = (runs: readonly ReportedRun[]): string =>
  suitesReport(runs.map(({ name, verdict }) => ({ name, items: itemsOf(verdict) })));

/** Without the exponent that small numbers are written with. */
const seconds = (ms: number): number => Math.round(ms) / 1000;

function caseOf({ kind, name, verdict, messages, advice, ms = 0 }: Item) {
  const message = clean([...messages, ...advice.map((line) => `→ ${line}`)].join('\n'));
  return {
    name: clean(name),
    classname: kind,
    time: seconds(ms),
    ...(verdict === 'FAIL' && { failures: [{ message, type: verdict }] }),
    ...(verdict === 'INCONCLUSIVE' && { errors: [{ message, type: verdict }] }),
  };
}
