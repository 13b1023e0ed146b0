/**
 * Runs the long proofs, each row a program of its own in proof/, and prints what each has shown. `npm run proof` runs all rows, which
 * takes hours, `npm run proof -- planted-tills` one, `--only <name>` the cases with this in their names, `--write` keeps that
 * in the row's page, `--short` runs a twentieth of the rows that are quick, and `--runs <n>` says how often `flake-rate` runs the tests.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { importTypeScript } from './import-typescript.mjs';

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    runs: { type: 'string', default: '10' },
  },
  allowPositionals: true,
});
execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
const { prove } = await importTypeScript('proof/main.ts');
process.exitCode = await prove({ rows: positionals, ...values });
