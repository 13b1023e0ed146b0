/** Renders a certificate in the columns that acceptance teams use: functionality, test action, expected, actual, notes. */
import { escapeControls } from '../../core/lib/escape-controls.ts';
import { htmlPage, htmlTable } from '../../verdict/report/html.ts';
import { markdownCell, markdownTable } from '../../verdict/report/markdown.ts';
import { statusMarks } from '../../verdict/report/report-items.ts';
import { escapeMarkup } from '../../verdict/report/timeline-svg.ts';
import type { Certificate, CertificateRow } from './certificate.ts';
import { dependenceLines } from './dependences.ts';

const columns = ['Functionality', 'Test action', 'Expected', 'Actual', 'Notes'];

const stampNote = 'Times. All else is the same whenever the same client is certified again.';

export const certificateJson = (certificate: Certificate): string =>
  escapeControls(`${JSON.stringify(certificate, null, 2)}\n`);

const titleOf = ({ client, verdict, reason }: Certificate): string =>
  `${client === null ? '' : `${client}: `}${verdict}: ${reason}`;

/** Returns what the document is about, line by line. */
const factsOf = ({ versions, settings, trace }: Certificate): string[][] => [
  ['Simulator', `loyalty-sim ${versions.simulator}, Node ${versions.node}`],
  ['Specification', versions.specification],
  ['Faults', `up to level ${settings.level}${settings.kill ? ', and kills' : ''}`],
  ['Limits', `${settings.timeout} for each run, ${settings.budget ?? 'no budget'}`],
  ['Seed', String(settings.seed)],
  ['Declared policy', JSON.stringify(settings.policy)],
  ['Hash of the settings', settings.hash ?? 'none'],
  ['Hash of the trace', `${trace.hash}, of ${trace.requests} requests`],
];

/** Returns what was not tested, with a line for each thing. */
function notTestedOf({ notTested }: Certificate): (readonly [string, readonly string[]])[] {
  const { leftOut, budget, unreachable, equivalent, endpoints, rules } = notTested;
  const all = [
    ['Left out by the settings', leftOut],
    ['No time within the budget', budget],
    ['Requests that the client did not send again', unreachable],
    ['Rules that no test could break', rules.map(({ rule, title }) => `${rule} ${title}`)],
    ['Endpoints that the client never called', [endpoints.join(', ')].filter((text) => text !== '')],
    [
      'Tests that the client cannot tell from another, which was run',
      equivalent.map(({ id, witness, reason }) => `${id}, as ${witness}: ${reason}`),
    ],
  ] as const;
  return all.filter(([, lines]) => lines.length > 0);
}

const markOf = ({ outcome }: CertificateRow): string => `${statusMarks[outcome]} ${outcome}`;

const basisLine = ({ id, basis }: CertificateRow): string =>
  `${id}${basis.length === 0 ? '' : `. Basis: ${basis.join(', ')}`}`;

const itemOf = (line: string): string => `- ${markdownCell(line)}`;

export function certificateMarkdown(certificate: Certificate): string {
  const { rows, variants, basis, notes, stamps } = certificate;
  return `${[
    `# ${markdownCell(titleOf(certificate))}`,
    '',
    ...markdownTable(
      ['', ''],
      factsOf(certificate).map((cells) => cells.map(markdownCell)),
    ),
    '',
    '## Tests',
    '',
    ...markdownTable(
      columns,
      rows.map((row) =>
        [
          row.functionality,
          row.action,
          row.expected,
          `${markOf(row)}\n${row.actual}`,
          [...row.notes, basisLine(row)].join('\n'),
        ].map(markdownCell),
      ),
    ),
    '',
    ...(variants.length === 0
      ? []
      : ['## What depends on assumptions', '', ...variants.flatMap(dependenceLines).map(itemOf), '']),
    '## What was not tested',
    '',
    ...notTestedOf(certificate).flatMap(([what, lines]) => [`### ${what}`, '', ...lines.map(itemOf), '']),
    '## What the tests rest on',
    '',
    ...markdownTable(
      ['', 'source', ''],
      basis.map(({ id, source, text }) => [id, source, markdownCell(text)]),
    ),
    '',
    ...(notes.length === 0 ? [] : ['## Notes', '', ...notes.map(itemOf), '']),
    '## Stamps',
    '',
    `${stampNote} Created ${stamps.created}, in ${stamps.seconds} s.`,
  ].join('\n')}\n`;
}

const marked = (row: CertificateRow): string => `<span class="${row.outcome}">${markOf(row)}</span>`;

const linkTo = (id: string): string => `<a href="#${escapeMarkup(id)}">${escapeMarkup(id)}</a>`;

const htmlNotes = ({ id, basis, notes }: CertificateRow): string =>
  [
    ...notes.map(escapeMarkup),
    `<code>${escapeMarkup(id)}</code>`,
    ...(basis.length === 0 ? [] : [`Basis: ${basis.map(linkTo).join(', ')}`]),
  ].join('<br>');

const verdictClasses: Readonly<Record<Certificate['verdict'], string>> = {
  PASSED: 'PASS',
  'NOT PASSED': 'FAIL',
  INCONCLUSIVE: 'INCONCLUSIVE',
};

export function certificatePage(certificate: Certificate): string {
  const { rows, variants, basis, notes, stamps, verdict } = certificate;
  return htmlPage('loyalty-sim certificate', [
    '<style>body{max-width:90rem}td:first-child{white-space:normal}td:nth-child(2){min-width:12rem}td:nth-child(5){min-width:14rem}td a{white-space:nowrap}code{font-size:.85em}</style>',
    `<p class="${verdictClasses[verdict]}"><strong>${escapeMarkup(titleOf(certificate))}</strong></p>`,
    htmlTable(factsOf(certificate).map((cells) => cells.map(escapeMarkup))),
    '<h2>Tests</h2>',
    htmlTable([
      columns.map((name) => `<strong>${name}</strong>`),
      ...rows.map((row) => [
        escapeMarkup(row.functionality),
        escapeMarkup(row.action),
        escapeMarkup(row.expected),
        `${marked(row)}<br>${escapeMarkup(row.actual)}`,
        htmlNotes(row),
      ]),
    ]),
    ...(variants.length === 0
      ? []
      : ['<h2>What depends on assumptions</h2>', listOf(variants.flatMap(dependenceLines))]),
    '<h2>What was not tested</h2>',
    ...notTestedOf(certificate).flatMap(([what, lines]) => [`<h3>${escapeMarkup(what)}</h3>`, listOf(lines)]),
    '<h2>What the tests rest on</h2>',
    htmlTable(
      basis.map(({ id, source, text }) => [
        `<span id="${escapeMarkup(id)}">${escapeMarkup(id)}</span>`,
        source,
        escapeMarkup(text),
      ]),
    ),
    ...(notes.length === 0 ? [] : ['<h2>Notes</h2>', listOf(notes)]),
    '<h2>Stamps</h2>',
    `<p id="stamps">${stampNote} Created ${escapeMarkup(stamps.created)}, in ${stamps.seconds} s.</p>`,
  ]);
}

const listOf = (lines: readonly string[]): string =>
  `<ul>${lines.map((line) => `<li>${escapeMarkup(line)}</li>`).join('')}</ul>`;
