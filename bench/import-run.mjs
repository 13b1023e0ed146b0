/** `node --expose-gc import-run.mjs <folder> <fixtures>`: imports what lies in the folder, and prints what it took. */
import { createSim } from '../dist/index.js';

const [importFolder, fixtures] = process.argv.slice(2);
const memory = [];
const sim = await createSim({
  importFolder,
  fixtures,
  now: '2026-03-01T12:00:00Z',
  onInternalError: (error) => {
    throw error;
  },
});
const tenant = sim.tenants.default;
const filesDone = () => tenant.count({ name: 'importedFiles', scope: 'state' });
let seen = 0;
tenant.onChange(() => {
  if (filesDone() === seen) return;
  seen = filesDone();
  globalThis.gc();
  memory.push(Math.round(process.memoryUsage().rss / 1024 / 1024));
});
const start = performance.now();
await sim.clock.advance('15m');
const milliseconds = performance.now() - start;
const { items } = await (await sim.fetch('/__admin/imports')).json();
const imported = items[0].files.reduce((sum, file) => sum + file.imported, 0);
process.stdout.write(
  JSON.stringify({ milliseconds, imported, memory, peak: Math.round(process.resourceUsage().maxRSS / 1024) }),
);
await sim.close();
process.exit(0);
