/** Writes docs/retry-atlas.md: `npm run atlas -- --help` lists the options. */
import { execFileSync } from 'node:child_process';
import { importTypeScript } from './import-typescript.mjs';
import { readOptions } from './read-options.mjs';

const { values } = readOptions({
  command: 'atlas',
  about: 'Writes docs/retry-atlas.md: what HTTP and retry libraries do to this service.',
  options: {
    only: { type: 'string', value: 'names', description: 'runs these set-ups and languages: got,Python' },
    defaults: { type: 'boolean', description: 'leaves the recipes out' },
    pages: { type: 'boolean', description: 'writes the pages without running anything' },
    install: { type: 'boolean', description: 'installs the libraries, and runs nothing' },
    'at-once': { type: 'string', default: '16', value: 'n', description: 'how many cells run at once' },
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
