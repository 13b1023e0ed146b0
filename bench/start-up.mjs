/** From spawning the process to its first answer, in turns with the bare server. */
import { get } from 'node:http';
import { median, round, spread } from './numbers.mjs';
import { bareServer, simServer, startServer } from './servers.mjs';

const rounds = 15;

/** Returns the time from starting a server until it has answered, in ms. */
export async function firstAnswer(args, path) {
  const start = performance.now();
  const { child, port } = await startServer(args);
  await new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers: { 'user-agent': 'bench' } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
      response.resume().on('end', resolve);
    }).on('error', reject);
  });
  const taken = performance.now() - start;
  child.kill('SIGKILL');
  return taken;
}

const cases = [
  { what: 'spawn to first response, default fixture', options: [], target: 2 },
  { what: 'spawn to first response, `--fixtures empty`', options: ['--fixtures', 'empty'], target: 1.8 },
];

/** Measures the packages in these folders, of which the first is this one's, against the bare server. */
export async function startUp(...folders) {
  const rows = [];
  for (const { what, options, target } of cases) {
    const bare = [];
    const sims = folders.map(() => []);
    for (let n = 0; n < rounds; n++) {
      bare.push(await firstAnswer(bareServer, '/'));
      for (const [i, folder] of folders.entries())
        sims[i].push(await firstAnswer(simServer(folder, ...options), '/api/v3/consents'));
    }
    for (const [i, sim] of sims.entries())
      rows.push({
        what: i === 0 ? what : `${what}, as compared`,
        bare: `${round(median(bare))} ms`,
        sim: `${round(median(sim))} ms (${spread(sim)})`,
        ratio: median(sim) / median(bare),
        target: i === 0 ? target : undefined,
        better: 'lower',
      });
  }
  return rows;
}
