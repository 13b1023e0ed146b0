import type { ShownOperation } from '../shown-operations.ts';
import { itemsOf, marks } from './reported.ts';
import type { ReportedRun } from './reported.ts';
import { escaped, timelineSvg } from './svg.ts';

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.15rem;margin-top:2.5rem}h3{font-size:1rem;margin-bottom:.3rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ddd}
.PASS{color:#2a7d4f}.FAIL{color:#b3261e}.INCONCLUSIVE{color:#8a6d00}svg{max-width:100%;height:auto}
svg .label,svg .scale{font:12px ui-monospace,monospace;fill:#555}.advice{border-left:3px solid #ccc;padding-left:.8rem;margin:.3rem 0}`;

/** The runs as one page that needs nothing else. */
export const htmlReport = (runs: readonly ReportedRun[]): string =>
  [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>loyalty-sim verdict</title><style>${style}</style></head><body>`,
    '<h1>loyalty-sim verdict</h1>',
    ...runs.map(sectionOf),
    '</body></html>',
    '',
  ].join('\n');

function sectionOf({ name, description, verdict }: ReportedRun): string {
  const rows = itemsOf(verdict).map(
    (item) =>
      `<tr><td class="${item.verdict}">${marks[item.verdict]} ${item.verdict}</td><td>${escaped(item.name)}</td>` +
      `<td>${item.messages.map(escaped).join('<br>')}</td></tr>`,
  );
  return [
    `<section><h2><span class="${verdict.verdict}">${marks[verdict.verdict]} ${verdict.verdict}</span> ${escaped(name)}</h2>`,
    description === undefined ? '' : `<p>${escaped(description.trim())}</p>`,
    rows.length === 0 ? `<p>${escaped(verdict.reason)}</p>` : `<table>${rows.join('\n')}</table>`,
    ...verdict.operations
      .filter(({ attempts, verdict: word }) => attempts.length > 1 || word !== 'PASS')
      .map(detailsOf),
    '</section>',
  ].join('\n');
}

function detailsOf(operation: ShownOperation): string {
  const { call, key, verdict, findings } = operation;
  const told = findings.map(
    ({ rule, title, message, sentence, advice, weight }) =>
      `<p class="advice"><strong>${rule} ${escaped(title)}</strong> (${weight})<br>${escaped(message)}<br>` +
      `<em>${escaped(sentence)}</em><br>→ ${escaped(advice)}</p>`,
  );
  const named = key.value === null ? '' : ` (${escaped(key.value)})`;
  return `<h3 class="${verdict}">${marks[verdict]} ${escaped(call)}${named}</h3>${timelineSvg(operation)}${told.join('')}`;
}
