/** Renders reports of an exploration: the findings with a run that shows each, the coverage, and what is left. */
import { escapeControls } from '../../core/lib/escape-controls.ts';
import { githubAnnotation, githubAnnotations } from '../../verdict/report/github-annotations.ts';
import { htmlPage, htmlSection, htmlTable } from '../../verdict/report/html.ts';
import { junitSuites } from '../../verdict/report/junit.ts';
import { markdownCell, markdownSection, markdownTable } from '../../verdict/report/markdown.ts';
import type { ReportItem, ReportedRun } from '../../verdict/report/report-items.ts';
import { escapeMarkup } from '../../verdict/report/timeline-svg.ts';
import type { Finding } from '../explore.ts';
import { coverageCells, placeOf, reasonsFor, statusWords } from './coverage-table.ts';
import { explorationStatus } from '../live/exploration-status.ts';
import { serializeExploration } from './exploration-json.ts';
import type { ReportedExploration } from './exploration-json.ts';
import { ruleCoverage } from './rules-at-risk.ts';
import { variationLines } from './variation-words.ts';
import { counted, findingTitle, formatFaults, formatReproduction } from './words.ts';

export const explorationJson = (reported: ReportedExploration): string =>
  escapeControls(`${JSON.stringify(serializeExploration(reported), null, 2)}\n`);

/** Returns a run for each finding, which shows it; where exploring stopped, the one that it stopped at. */
function failingRuns({ exploration, fileOf, at }: ReportedExploration): ReportedRun[] {
  const { findings, reason, stoppedBy } = exploration;
  if (stoppedBy) return [{ name: 'without faults', description: reason, at, ms: 0, verdict: stoppedBy }];
  return findings.map((finding) => ({
    name: findingTitle(finding),
    description: [
      `${formatFaults(finding).join('; ')}. ${fileOf(finding)}, ${formatReproduction(finding)}`,
      ...variationsOf(exploration, finding.id).map((line) => `It ${line}`),
    ].join('. '),
    at,
    ms: 0,
    verdict: finding.verdict,
  }));
}

/** Returns an error for an exploration that could not begin. */
const stoppedItems = ({ stoppedBy, reason }: ReportedExploration['exploration']): ReportItem[] =>
  stoppedBy
    ? [{ kind: 'case', name: 'exploring stopped', verdict: 'INCONCLUSIVE', messages: [reason], advice: [] }]
    : [];

const titleOf = ({ exploration }: ReportedExploration): string =>
  `${explorationStatus(exploration)}: ${exploration.reason}, ${counted(exploration.runs, 'run')}`;

/** Returns a line for each reason why points were not tried, met or decided, and the notes. */
function remarksOf({ exploration }: ReportedExploration): string[] {
  const { points, notes } = exploration;
  const lines = (['undecided', 'unreachable', 'not-tried', 'equivalent'] as const).flatMap((status) =>
    reasonsFor(points, status).map(
      ({ reason, ids }) => `${statusWords[status]}: ${ids.join(', ')}${reason === '' ? '' : `: ${reason}`}`,
    ),
  );
  const unconfirmed = exploration.unconfirmed.map(
    (finding) => `inconclusive: ${findingTitle(finding)}: ${unconfirmedText(finding)}`,
  );
  return [
    ...unconfirmed,
    ...lines,
    ...notes,
    ...variationsOf(exploration, undefined).map((line) => `what passed ${line}`),
  ];
}

/** Names the run that showed something which none of its repetitions did, with its faults. */
const unconfirmedText = (finding: Finding): string =>
  `${finding.message}; ${formatFaults(finding).join('; ')}; found in run ${finding.firstRun}, ${formatReproduction(finding)}`;

/** Says what a finding, or what passed, depends on. */
const variationsOf = ({ variations }: ReportedExploration['exploration'], id: string | undefined): string[] =>
  variations.filter(({ finding }) => finding === id).flatMap(variationLines);

const ruleCells = ({ exploration: { points } }: ReportedExploration): string[][] => [
  ['rule', '', 'could be broken at', 'broken at'],
  ...ruleCoverage(points).map(({ rule, title, tried, broken }) => [
    rule,
    title,
    tried === 0 ? 'no point tried' : counted(tried, 'point'),
    String(broken || ''),
  ]),
];

export function explorationMarkdown(reported: ReportedExploration): string {
  return `${[
    `## ${markdownCell(titleOf(reported))}`,
    '',
    ...tablesOf(reported).flatMap(({ cells: [heads = [], ...rows] }) => [
      ...markdownTable(cellsOf(heads), rows.map(cellsOf)),
      '',
    ]),
    ...remarksOf(reported).map((line) => `- ${markdownCell(line)}`),
    '',
    ...failingRuns(reported).flatMap(markdownSection),
  ].join('\n')}\n`;
}

/** Returns the tables of coverage and of rules; none where nothing could be tried. */
const tablesOf = (reported: ReportedExploration): { readonly title: string; readonly cells: string[][] }[] =>
  reported.exploration.stoppedBy
    ? []
    : [
        { title: 'Coverage', cells: coverageCells(reported.exploration.points) },
        { title: 'Rules', cells: ruleCells(reported) },
      ];

const cellsOf = (cells: readonly string[]): string[] => cells.map((cell) => markdownCell(cell.trim()));

export const explorationPage = (reported: ReportedExploration): string =>
  htmlPage('loyalty-sim explore', [
    `<p>${escapeMarkup(titleOf(reported))}</p>`,
    ...failingRuns(reported).map(htmlSection),
    ...tablesOf(reported).flatMap(({ title, cells }) => [
      `<h2>${title}</h2>`,
      htmlTable(cells.map((row) => row.map(escapeMarkup))),
    ]),
    `<ul>${remarksOf(reported)
      .map((line) => `<li>${escapeMarkup(line)}</li>`)
      .join('')}</ul>`,
  ]);

/** Renders a suite with a case for each finding, each that did not show again, and each endpoint without findings or with something left open. */
export function explorationJunit({ exploration, at }: ReportedExploration): string {
  const { findings, unconfirmed, points, ms } = exploration;
  const ids = [...new Set(points.map(({ id }) => placeOf(id).endpoint))];
  const endpointItems = ids
    .map((id) => ({ id, item: endpointItem(id, points) }))
    // A finding stands for its endpoint, but not for what was left open there.
    .filter(({ id, item }) => item.verdict !== 'PASS' || !findings.some(({ endpoint }) => endpoint === id))
    .map(({ item }) => item);
  const items = [
    ...stoppedItems(exploration),
    ...findings.map((finding) => itemFor(finding, variationsOf(exploration, finding.id))),
    ...unconfirmed.map((finding) => ({
      ...itemFor(finding, []),
      verdict: 'INCONCLUSIVE' as const,
      messages: [unconfirmedText(finding)],
    })),
    ...endpointItems,
  ];
  const output = variationsOf(exploration, undefined).map((line) => `what passed ${line}`);
  return junitSuites([{ name: 'explore', at, ms, items, output }]);
}

const itemFor = (finding: Finding, variations: readonly string[]): ReportItem => ({
  kind: 'case',
  name: `${finding.endpoint === '' ? '' : `${finding.endpoint}: `}${finding.rule} ${finding.title}`,
  verdict: 'FAIL',
  messages: [...formatFaults(finding), finding.message, ...variations.map((line) => `It ${line}`)],
  advice: [finding.advice],
});

function endpointItem(endpoint: string, points: ReportedExploration['exploration']['points']): ReportItem {
  const own = points.filter(({ id }) => placeOf(id).endpoint === endpoint);
  const undecided = reasonsFor(own, 'undecided');
  const unmet = reasonsFor(own, 'unreachable').flatMap(({ ids }) => ids);
  return {
    kind: 'case',
    name: `${endpoint}: ${counted(own.length, 'point')}`,
    verdict: undecided.length + unmet.length > 0 ? 'INCONCLUSIVE' : 'PASS',
    messages: [
      ...undecided.map(({ reason, ids }) => `${ids.join(', ')}: ${reason}`),
      ...(unmet.length > 0 ? [`${unmet.join(', ')}: the client did not send this request again`] : []),
    ],
    advice: [],
  };
}

export const explorationAnnotations = (reported: ReportedExploration): string[] => [
  ...stoppedItems(reported.exploration).map((item) => githubAnnotation('explore', item)),
  ...githubAnnotations(failingRuns(reported)),
];
