/** Measures starts of the command with a fixture of 100,000 contacts: anew, with its cache, and with a saved state. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './folder.mjs';
import { median, round, spread } from './numbers.mjs';
import { environment, residentMemory, simServer, startServer } from './servers.mjs';

const rounds = 5;
const contacts = 100_000;

/** Starts the command; returns the seconds until it listens, and the most memory that it took for that in MB. */
async function start(args) {
  const began = performance.now();
  const { child, stop } = await startServer(args);
  const seconds = (performance.now() - began) / 1000;
  const megabytes = residentMemory(child.pid, 'VmHWM');
  await stop();
  return { seconds, megabytes };
}

const secondsOf = (starts) => starts.map(({ seconds }) => seconds);

const shown = (starts) => `${median(secondsOf(starts)).toFixed(1)} s (${spread(secondsOf(starts))})`;

function row(what, starts, most) {
  return {
    what,
    sim: shown(starts),
    ...(most !== undefined && { asked: `≤ ${most} s`, isReached: median(secondsOf(starts)) <= most }),
  };
}

export async function large(unpacked) {
  const folder = temporaryFolder();
  const [file, cache] = ['shop.json', 'cache'].map((name) => join(folder, name));
  const generated = ['generate', '--contacts', String(contacts), '--seed', '1', '--out', file];
  execFileSync(process.execPath, [join(unpacked, 'dist/cli.cjs'), ...generated], { env: environment, stdio: 'ignore' });
  const startWith = (...options) => start(simServer(unpacked, '--fixtures', file, ...options));
  await startWith('--fixture-cache', cache);
  const [anew, cached, first, second] = [[], [], [], []];
  for (let n = 0; n < rounds; n++) {
    anew.push(await startWith());
    cached.push(await startWith('--fixture-cache', cache));
    const saved = join(folder, `saved-${n}`);
    mkdirSync(saved);
    first.push(await startWith('--data', join(saved, 'data')));
    second.push(await startWith('--data', join(saved, 'data')));
    rmSync(saved, { recursive: true });
  }
  const megabytes = anew.map((one) => one.megabytes);
  const size = `a fixture of ${contacts.toLocaleString('en')} contacts with two receipts each`;
  return [
    row(`starting with ${size}; ${round(statSync(file).size / 1e6)} MB`, anew, 8),
    {
      what: 'the most resident memory of that start',
      sim: `${round(median(megabytes))} MB (${spread(megabytes)})`,
      asked: '≤ 700 MB',
      isReached: median(megabytes) <= 700,
    },
    row(`starting with ${size} out of its cache`, cached, 3),
    {
      what: `starting with ${size} and \`--data\`: the first time, the second time`,
      bare: shown(first),
      sim: shown(second),
      ratio: median(secondsOf(second)) / median(secondsOf(first)),
      target: 1,
      better: 'lower',
    },
  ];
}
