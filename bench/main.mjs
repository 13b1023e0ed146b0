/** `npm run bench [-- --write] [-- start-up|throughput|faults|sizes|time|memory|tenants|verdict …]`: measures, prints a table, keeps it if asked to. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { faults } from './faults.mjs';
import { memory } from './memory.mjs';
import { unpackPackage } from './servers.mjs';
import { sizes } from './sizes.mjs';
import { startUp } from './start-up.mjs';
import { tenants } from './tenants.mjs';
import { time } from './time.mjs';
import { throughput } from './throughput.mjs';
import { judging } from './verdict.mjs';

const parts = { 'start-up': startUp, throughput, faults, sizes, time, memory, tenants, verdict: judging };
const page = new URL('../docs/performance.md', import.meta.url);
const [begin, end] = ['<!-- measured -->', '<!-- /measured -->'];

function verdict({ ratio, target, better, limit, milliseconds }) {
  if (limit !== undefined) return milliseconds < limit ? 'yes' : 'NO';
  if (target === undefined) return '';
  return (better === 'lower' ? ratio <= target : ratio >= target) ? 'yes' : 'NO';
}

function asked({ target, better, limit }) {
  if (limit !== undefined) return `< ${limit} ms`;
  if (target === undefined) return '';
  return `${better === 'lower' ? '≤' : '≥'} ${target} ×`;
}

function table(rows) {
  const cells = rows.map((row) => [
    row.what,
    row.bare ?? '',
    row.sim,
    row.ratio === undefined ? '' : `${row.ratio.toFixed(2)} ×`,
    asked(row),
    verdict(row),
  ]);
  const head = ['what', 'bare server, or first', 'loyalty-sim, or second', 'ratio', 'asked for', 'reached'];
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

const args = new Set(process.argv.slice(2));
const chosen = Object.keys(parts).filter((name) => args.has(name));
const folder = unpackPackage();
const rows = [];
for (const name of chosen.length > 0 ? chosen : Object.keys(parts)) {
  process.stderr.write(`measuring ${name} …\n`);
  const measuredRows = await parts[name](folder);
  // What is measured is seen at once: another part may fail.
  process.stderr.write(`${table(measuredRows)}\n`);
  rows.push(...measuredRows);
}
const measured = `Node ${process.version}, ${cpus().length} cores.\n\n${table(rows)}`;
console.log(measured);
if (args.has('--write')) {
  const text = readFileSync(page, 'utf8');
  const [before, after] = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))];
  writeFileSync(page, `${before}${begin}\n\n${measured}\n\n${after}`);
}
