/** Runs the long proofs, each row a program of its own in proof/: `npm run proof -- --help` lists the options. */
import { execFileSync } from 'node:child_process';
import { importTypeScript } from './import-typescript.mjs';
import { readOptions } from './read-options.mjs';

const { values, positionals } = readOptions({
  command: 'proof',
  about:
    'Runs the long proofs that docs/proof.md lists, all of them or those that are named, and prints what each has shown.',
  operands: '[rows…]',
  options: {
    only: { type: 'string', default: '', value: 'name', description: 'runs the cases with this in their names' },
    write: { type: 'boolean', default: false, description: "keeps the figures in the row's page" },
    short: { type: 'boolean', default: false, description: 'runs a twentieth of the rows that are quick' },
    runs: { type: 'string', default: '10', value: 'n', description: 'how often flake-rate runs the tests' },
  },
});
execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
const { prove } = await importTypeScript('proof/main.ts');
process.exitCode = await prove({ rows: positionals, ...values });
