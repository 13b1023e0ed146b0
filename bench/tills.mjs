/**
 * `node bench/tills.mjs [runs]`: plays days of the reference till under the built-in scenarios, while every core
 * is kept busy; says how often each was passed. A till that is right must never be failed.
 */
import { spawn } from 'node:child_process';
import { environment } from './servers.mjs';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { realPauses, realPolicy, shippedDays } from '../test/clients/shipped.mjs';

const atOnce = 4;

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const till = new URL('../test/clients/till.mjs', import.meta.url).href;
const { createSim } = await import(new URL('../dist/index.js', import.meta.url).href);

async function verdictOf(file) {
  const sim = await createSim({ scenario: pathOf(`../scenarios/${file}`), policy: realPolicy });
  try {
    const { url } = await sim.listen();
    const options = JSON.stringify({ ...realPauses, ...shippedDays[file], url, till });
    const child = spawn(process.execPath, [pathOf('../test/clients/day.mjs'), options], {
      env: environment,
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`the till ended with ${code}`);
    return await sim.verdict();
  } finally {
    await sim.close();
  }
}

/** Does nothing, as fast as it can. */
const keepBusy = () => spawn(process.execPath, ['-e', 'for (;;);'], { env: environment });

const runs = Number(process.argv[2] ?? 1000);
const files = readdirSync(pathOf('../scenarios')).filter((file) => file.endsWith('.yaml'));
const results = new Map(files.map((file) => [file, { PASS: 0, INCONCLUSIVE: 0, FAIL: 0 }]));
const reasons = [];
let next = 0;

async function work() {
  while (next < runs) {
    const file = files[next++ % files.length];
    const { verdict, reason } = await verdictOf(file);
    results.get(file)[verdict]++;
    if (verdict !== 'PASS') reasons.push(`${file}: ${verdict}: ${reason}`);
  }
}

const busy = cpus().map(keepBusy);
const start = performance.now();
try {
  await Promise.all(Array.from({ length: atOnce }, work));
} finally {
  for (const child of busy) child.kill();
}
for (const [file, counts] of results) console.log(file.padEnd(30), JSON.stringify(counts));
console.log(`${runs} runs in ${Math.round((performance.now() - start) / 1000)} s, ${reasons.length} not passed`);
for (const reason of reasons) console.log(reason);
process.exitCode = reasons.some((reason) => reason.includes(': FAIL: ')) ? 1 : 0;
