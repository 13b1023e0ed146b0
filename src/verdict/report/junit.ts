import { formatWarning } from '../../format/verdict-summary.ts';
import { formatRecoveries } from '../../format/timeline.ts';
import { runItems } from './report-items.ts';
import type { ReportItem, ReportedRun } from './report-items.ts';
import { escapeMarkup } from './timeline-svg.ts';

interface JunitSuite {
  readonly name: string;
  /** Holds the start, on the machine's clock. */
  readonly at: string | undefined;
  /** Holds the duration, in ms. */
  readonly ms: number;
  readonly items: readonly ReportItem[];
  /** Holds lines that belong to no item. */
  readonly output?: readonly string[] | undefined;
}

/** Renders suites as JUnit XML, by Ant's schema: a case for each thing judged; INCONCLUSIVE is an error, FAIL a failure, what was not reached skipped. */
export const junitSuites = (suites: readonly JunitSuite[]): string =>
  ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites.flatMap(suiteLines), '</testsuites>', ''].join(
    '\n',
  );

/** Renders runs as JUnit XML, a suite for each. */
export const junitReport = (runs: readonly ReportedRun[]): string =>
  junitSuites(
    runs.map((run) => ({
      name: run.name,
      at: run.at,
      ms: run.ms,
      items: runItems(run),
      output: [...formatRecoveries(run.verdict.operations), ...run.verdict.warnings.map(formatWarning)],
    })),
  );

function suiteLines({ name, at, ms, items, output = [] }: JunitSuite, id: number): string[] {
  const count = (word: ReportItem['verdict']): number =>
    items.filter(({ verdict, isSkipped }) => verdict === word && !isSkipped).length;
  const head = {
    package: name,
    id,
    name,
    // The schema wants neither fractions nor an offset.
    timestamp: at?.slice(0, 'YYYY-MM-DDThh:mm:ss'.length),
    hostname: 'localhost',
    tests: items.length,
    errors: count('INCONCLUSIVE'),
    failures: count('FAIL'),
    time: seconds(ms),
  };
  const text = escapeMarkup(output.join('\n').toWellFormed());
  const tail = [text === '' ? '<system-out/>' : `<system-out>${text}</system-out>`, '<system-err/>', '</testsuite>'];
  return [`<testsuite${attributes(head)}>`, '<properties/>', ...items.map(caseLine), ...tail];
}

const elements = { FAIL: 'failure', INCONCLUSIVE: 'error' } as const;

function caseLine({ kind, name, verdict, messages, advice, ms = 0, isSkipped }: ReportItem): string {
  const head = `testcase${attributes({ name, classname: kind, time: seconds(ms) })}`;
  if (isSkipped) return `<${head}><skipped/></testcase>`;
  if (verdict === 'PASS') return `<${head}/>`;
  const message = [...messages, ...advice.map((line) => `→ ${line}`)].join('\n');
  return `<${head}><${elements[verdict]}${attributes({ message, type: verdict })}/></testcase>`;
}

/** Writes a number without the exponent that small numbers are written with. */
const seconds = (ms: number): number => Math.round(ms) / 1000;

const attributes = (values: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${attributeOf(String(value))}"`)
    .join('');

/** A reader takes a bare line end or tab for a space. */
const attributeOf = (text: string): string =>
  escapeMarkup(text.toWellFormed()).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
