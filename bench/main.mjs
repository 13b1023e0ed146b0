/**
 * `npm run bench [-- --write] [-- --compare <commit>] [-- start-up|install|throughput|faults|sizes|time|memory|tenants|imports|page-open|verdict …]`:
 * measures, prints a table, keeps it if asked to. With a commit to compare with, start-up and throughput measure that too;
 * `--compare <commit> --short` measures start, GET and POST of both within a minute, and warns of what is much slower.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { faults } from './faults.mjs';
import { imports } from './imports.mjs';
import { install } from './install.mjs';
import { memory } from './memory.mjs';
import { pageOpen } from './page-open.mjs';
import { unpackPackage, unpackRevision } from './servers.mjs';
import { shortComparison } from './short.mjs';
import { sizes } from './sizes.mjs';
import { startUp } from './start-up.mjs';
import { tenants } from './tenants.mjs';
import { time } from './time.mjs';
import { throughput } from './throughput.mjs';
import { judging } from './verdict.mjs';

const parts = {
  'start-up': startUp,
  install,
  throughput,
  faults,
  sizes,
  time,
  memory,
  tenants,
  imports,
  'page-open': pageOpen,
  verdict: judging,
};
// What was unpacked is removed at the end, also when a time limit ends this.
process.once('SIGTERM', () => process.exit(143));

const page = new URL('../docs/performance.md', import.meta.url);
const [begin, end] = ['<!-- measured -->', '<!-- /measured -->'];

function verdict({ ratio, target, better, limit, milliseconds, isReached }) {
  if (isReached !== undefined) return isReached ? 'yes' : 'NO';
  if (limit !== undefined) return milliseconds < limit ? 'yes' : 'NO';
  if (target === undefined) return '';
  return (better === 'lower' ? ratio <= target : ratio >= target) ? 'yes' : 'NO';
}

function asked({ target, better, limit, asked: words }) {
  if (words !== undefined) return words;
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

const { values, positionals } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    compare: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) throw new Error(`there is no part ${unknown}: choose from ${Object.keys(parts).join(', ')}`);
if (values.short && values.compare === undefined) throw new Error('--short needs a commit: --compare <commit>');
const comparable = ['start-up', 'throughput'];
const folders = [unpackPackage(), ...(values.compare === undefined ? [] : [unpackRevision(values.compare)])];
if (values.short) {
  for (const line of await shortComparison(...folders)) console.log(line);
  process.exit();
}
const all = values.compare === undefined ? Object.keys(parts) : comparable;
const rows = [];
for (const name of positionals.length > 0 ? positionals : all) {
  process.stderr.write(`measuring ${name} …\n`);
  const measuredRows = await parts[name](...(comparable.includes(name) ? folders : folders.slice(0, 1)));
  // What is measured is seen at once: another part may fail.
  process.stderr.write(`${table(measuredRows)}\n`);
  rows.push(...measuredRows);
}
const measured = `Each process has an environment of its own. Node ${process.version}, ${cpus().length} cores.\n\n${table(rows)}`;
console.log(measured);
if (values.write) {
  const text = readFileSync(page, 'utf8');
  const [before, after] = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))];
  writeFileSync(page, `${before}${begin}\n\n${measured}\n\n${after}`);
}
