/** Measures the time from spawning the process to its first response, in turns with the bare server. */
import { get } from 'node:http';
import { median, round, spread } from './numbers.mjs';
import { bareServer, residentMemory, simServer, startServer } from './servers.mjs';

const rounds = 15;

/** Returns the time from starting a server until it has responded, in ms, and the memory that it takes then, in MB. */
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
  const megabytes = residentMemory(child.pid);
  child.kill('SIGKILL');
  return { taken, megabytes };
}

const figures = (answers, name) => answers.map((answer) => answer[name]);

const cases = [
  { what: 'spawn to first response, default fixture', options: [], target: 2, mostMegabytes: 60 },
  { what: 'spawn to first response, `--fixtures empty`', options: ['--fixtures', 'empty'], target: 1.8 },
];

/** Measures the packages in these folders, of which the first is this one's, against the bare server. */
export async function startUp(...folders) {
  const rows = [];
  for (const { what, options, target, mostMegabytes } of cases) {
    const bare = [];
    const sims = folders.map(() => []);
    for (let n = 0; n < rounds; n++) {
      bare.push(await firstAnswer(bareServer, '/'));
      for (const [i, folder] of folders.entries())
        sims[i].push(await firstAnswer(simServer(folder, ...options), '/api/v3/consents'));
    }
    for (const [i, sim] of sims.entries()) {
      const [time, bareTime] = [figures(sim, 'taken'), figures(bare, 'taken')];
      const compared = i === 0 ? '' : ', as compared';
      rows.push({
        what: `${what}${compared}`,
        bare: `${round(median(bareTime))} ms`,
        sim: `${round(median(time))} ms (${spread(time)})`,
        ratio: median(time) / median(bareTime),
        target: i === 0 ? target : undefined,
        better: 'lower',
      });
      if (mostMegabytes === undefined) continue;
      const memory = median(figures(sim, 'megabytes'));
      rows.push({
        what: `resident memory at the first response${compared}`,
        bare: `${round(median(figures(bare, 'megabytes')))} MB`,
        sim: `${memory.toFixed(1)} MB`,
        ...(i === 0 && { asked: `≤ ${mostMegabytes} MB`, isReached: memory <= mostMegabytes }),
      });
    }
  }
  return rows;
}
