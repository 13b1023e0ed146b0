/** Formats an exploration for the terminal. */
import type { Exploration, Finding } from '../../explore/explore.ts';
import { coverageCells, reasonsFor } from '../../explore/report/coverage-table.ts';
import { ruleCoverage } from '../../explore/report/rules-at-risk.ts';
import { variationLines } from '../../explore/report/variation-words.ts';
import {
  counted,
  findingTitle,
  formatHit,
  formatKill,
  formatReproduction,
  isUnconfirmed,
} from '../../explore/report/words.ts';
import type { Symptom } from '../../explore/symptoms.ts';
import { colorize } from './runs.ts';

/** Returns lines for a finding; its file is a scenario that shows it. */
export const formatFinding = (finding: Finding, file: string): string[] =>
  [
    `${isUnconfirmed(finding) ? '?' : '✗'} ${findingTitle(finding)}: ${finding.message}`,
    ...finding.hits.map((hit) => `      ${formatHit(hit)}`),
    ...(finding.kill ? [`      ${formatKill(finding.kill)}`] : []),
    ...(finding.also.length > 0 ? [`      also broken by it: ${finding.also.join(', ')}`] : []),
    `    → ${finding.advice}`,
    `      ${file} · found in run ${finding.firstRun}, shrunk in ${counted(finding.shrinkRuns, 'run')}, ${formatReproduction(finding)}`,
  ].map(colorize);

/** Returns lines for what one run showed. */
export const formatSymptom = ({ rule, endpoint, title, message, advice }: Symptom): string[] =>
  [`✗ ${findingTitle({ rule, endpoint, title })}: ${message}`, `    → ${advice}`].map(colorize);

/** Returns lines about what depends on which assumption: for each finding, and for what passed. */
const variationsText = ({ variations, findings }: Exploration): string[] =>
  variations.flatMap((variation) => {
    const finding = findings.find(({ id }) => id === variation.finding);
    const name = finding ? findingTitle(finding) : 'what passed';
    return variationLines(variation).map((line) => `assumptions: ${name} ${line}`);
  });

/** Limits the reasons and points of one status that are listed; a report has all of them. */
const maxShown = 5;

/** Returns lines for all that is known at the end: coverage, what was not tried or decided, and the notes. */
export function formatExploration(exploration: Exploration): string[] {
  const { points, notes, runs, requests, ms } = exploration;
  return [
    `${counted(runs, 'run')} in ${(ms / 1000).toFixed(1)} s; a run without faults sends ${counted(requests, 'request')}. Points are a fault at a request:`,
    ...tableLines(coverageCells(points)),
    ...ruleLines(points),
    ...[
      ['undecided', 'undecided'],
      ['unreachable', 'injected and never met'],
      ['not-tried', 'not tried'],
      ['equivalent', 'equivalent'],
    ].flatMap(([status, words]) => {
      const reasons = reasonsFor(points, status as 'undecided');
      return reasons
        .slice(0, maxShown)
        .map(({ reason, ids }) => `${words}: ${listOf(ids)}${reason === '' ? '' : `: ${reason}`}`)
        .concat(reasons.length > maxShown ? [`${words}: … and ${reasons.length - maxShown} more reasons`] : []);
    }),
    ...variationsText(exploration),
    ...notes.map((note) => `note: ${note}`),
  ].map(colorize);
}

/** Says which rules were broken, and which ones no run could have broken. */
function ruleLines(points: Exploration['points']): string[] {
  const rules = ruleCoverage(points);
  const broken = rules
    .filter((one) => one.broken > 0)
    .map(({ rule, broken: count }) => `${rule} at ${counted(count, 'point')}`);
  const untested = rules.filter(({ tried }) => tried === 0).map(({ rule }) => rule);
  return [
    ...(broken.length > 0 ? [`by rule: broken ${broken.join(', ')}`] : []),
    ...(untested.length > 0 ? [`by rule: no run could have broken ${untested.join(', ')}`] : []),
  ];
}

const listOf = (ids: readonly string[]): string =>
  ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ');

function tableLines(rows: readonly (readonly string[])[]): string[] {
  const [heads = []] = rows;
  const widths = heads.map((_, i) => Math.max(...rows.map((cells) => cells[i]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
