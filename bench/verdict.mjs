/** Measures what it costs to judge a long day, one on which much fails and one on which nothing does, each five times. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, round, spread } from './numbers.mjs';
import { environment } from './servers.mjs';

const rounds = 5;
const run = fileURLToPath(new URL('verdict-run.mjs', import.meta.url));

const judged = (day) => JSON.parse(execFileSync(process.execPath, [run, day], { env: environment, encoding: 'utf8' }));

const of = (measured, figure) => measured.map((one) => one[figure]);

function row(day, measured) {
  const times = of(measured, 'milliseconds');
  const operations = measured[0].operations.toLocaleString('en');
  return {
    what: `the first verdict on a journal of 30,000 requests, ${operations} operations, ${day}`,
    sim: `${round(median(times))} ms (${spread(times)})`,
    limit: 500,
    milliseconds: median(times),
    better: 'lower',
  };
}

export async function judging() {
  const [failing, plain] = [[], []];
  for (let n = 0; n < rounds; n++) {
    failing.push(judged('failing'));
    plain.push(judged('plain'));
  }
  const expected = of(failing, 'expected');
  return [
    row('most of them tried again', failing),
    row('none of them failed', plain),
    {
      what: '10,000 expectations held against the first of these journals',
      sim: `${round(median(expected))} ms (${spread(expected)})`,
    },
  ];
}
