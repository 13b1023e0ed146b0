/** From spawning the process to its first answer, in turns with the bare server. */
import { get } from 'node:http';
import { median, round } from './numbers.mjs';
import { bareServer, simServer, startServer } from './servers.mjs';

const rounds = 15;

async function firstAnswer(args, path) {
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

export async function startUp(folder) {
  const [bare, sim] = [[], []];
  for (let n = 0; n < rounds; n++) {
    bare.push(await firstAnswer(bareServer, '/'));
    sim.push(await firstAnswer(simServer(folder), '/api/v3/consents'));
  }
  const ratio = median(sim) / median(bare);
  return [
    {
      what: 'spawn to first answer, default fixture',
      bare: `${round(median(bare))} ms`,
      sim: `${round(median(sim))} ms`,
      ratio,
      target: 2,
      better: 'lower',
    },
  ];
}
