/**
 * Writes docs/retry-atlas.md: what HTTP and retry libraries do to this service. `--only got,Python` runs these set-ups and
 * languages, `--defaults` leaves their recipes out, `--pages` writes the pages without running anything, `--install` installs the libraries and runs nothing.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { importTypeScript } from './import-typescript.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    pages: { type: 'boolean' },
    install: { type: 'boolean' },
    defaults: { type: 'boolean' },
    'at-once': { type: 'string', default: '16' },
  },
});
const { installAll, runAtlas, writePages } = await importTypeScript('test/atlas/main.ts');

async function run() {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { createSim } = await import('../dist/index.js');
  const sim = await createSim();
  await sim.listen();
  try {
    await runAtlas(sim, {
      only: values.only?.split(','),
      defaultsOnly: values.defaults,
      atOnce: Number(values['at-once']),
      print: console.log,
    });
  } finally {
    await sim.close();
  }
}

if (values.install) installAll(values.only?.split(','));
else if (values.pages) writePages();
else await run();
