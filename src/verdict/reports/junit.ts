import { getJunitXml } from 'junit-xml';
import { itemsOf } from './reported.ts';
import type { Item, ReportedRun } from './reported.ts';

/** Characters that no XML document may hold. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const clean = (text: string): string => text.toWellFormed().replaceAll(forbidden, '?');

/** The runs as JUnit XML: a suite for each, a case for each thing judged; INCONCLUSIVE is an error, FAIL a failure. */
export const junitReport = (runs: readonly ReportedRun[]): string => {
  const suites = runs.map(({ name, verdict }) => ({ name: clean(name), testCases: itemsOf(verdict).map(caseOf) }));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${getJunitXml({ name: 'loyalty-sim', suites }, { schema: 'ant-junit' })}\n`;
};

function caseOf({ kind, name, verdict, messages, advice }: Item) {
  const message = clean([...messages, ...advice.map((line) => `→ ${line}`)].join('\n'));
  return {
    name: clean(name),
    classname: kind,
    ...(verdict === 'FAIL' && { failures: [{ message, type: verdict }] }),
    ...(verdict === 'INCONCLUSIVE' && { errors: [{ message, type: verdict }] }),
  };
}
