/**
 * Measures the packed package next to bare servers, and prints a table; `npm run bench -- --help` lists the options. With a
 * commit to compare with, start-up and throughput measure that too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { readOptions } from '../scripts/read-options.mjs';
import { faults } from './faults.mjs';
import { imports } from './imports.mjs';
import { install } from './install.mjs';
import { large } from './large.mjs';
import { memory } from './memory.mjs';
import { pageOpen } from './page-open.mjs';
import { pointsDue } from './points-due.mjs';
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
  large,
  time,
  'points-due': pointsDue,
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

/** Returns what a row is about: figures may follow after a semicolon. */
const nameOfRow = (line) => line.split('|')[1]?.split(';')[0].trim();

/** Returns a table with the rows of the page that were not measured again, each in its place. */
function merged(before, measured) {
  const fresh = new Map(measured.split('\n').map((line) => [nameOfRow(line), line]));
  const kept = before
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => {
      const name = nameOfRow(line);
      const again = fresh.get(name);
      fresh.delete(name);
      return again ?? line;
    });
  return [...kept, ...fresh.values()].join('\n');
}

function endWith(message) {
  console.error(message);
  process.exit(2);
}

const { values, positionals } = readOptions({
  command: 'bench',
  about: `Measures the packed package next to bare servers. The parts: ${Object.keys(parts).join(', ')} (default: all).`,
  operands: '[parts…]',
  options: {
    write: { type: 'boolean', default: false, description: 'keeps what was measured in docs/performance.md' },
    compare: { type: 'string', value: 'commit', description: 'measures this commit as well, in turns' },
    short: { type: 'boolean', default: false, description: 'with --compare: start, GET and POST alone' },
  },
});
const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) endWith(`there is no part "${unknown}": choose from ${Object.keys(parts).join(', ')}`);
if (values.short && values.compare === undefined) endWith('--short needs a commit: --compare <commit>');
const comparable = ['start-up', 'throughput'];
const folders = [unpackPackage(), ...(values.compare === undefined ? [] : [unpackRevision(values.compare)])];
if (values.short) {
  for (const line of await shortComparison(...folders)) console.log(line);
  process.exit();
}
const all = values.compare === undefined ? Object.keys(parts) : comparable;
const wanted = positionals.length > 0 ? positionals : all;
const rows = [];
const failed = [];
for (const name of wanted) {
  process.stderr.write(`measuring ${name} …\n`);
  try {
    const measuredRows = await parts[name](...(comparable.includes(name) ? folders : folders.slice(0, 1)));
    process.stderr.write(`${table(measuredRows)}\n`);
    rows.push(...measuredRows);
  } catch (error) {
    // What the other parts measure is worth an hour.
    failed.push(name);
    console.error(`${name} failed:`, error);
  }
}
console.log(table(rows));
if (values.write) {
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  const measured = wanted.filter((name) => !failed.includes(name)).join(', ');
  const older = measured === Object.keys(parts).join(', ') ? '' : ' The other rows are older.';
  const day = new Date().toISOString().slice(0, 10);
  const says = `Each process has an environment of its own. Node ${process.version}, ${cpus().length} cores. Measured on ${day}: ${measured}.${older}`;
  writeFileSync(
    page,
    `${text.slice(0, from)}\n\n${says}\n\n${merged(text.slice(from, to), table(rows))}\n\n${text.slice(to)}`,
  );
}
if (failed.length > 0) {
  console.error(`not measured: ${failed.join(', ')}`);
  process.exitCode = 1;
}
