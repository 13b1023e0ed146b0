import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const readme = readFileSync('README.md', 'utf8');

it('the README starts with the two commands, each as one', () => {
  const commands = [...readme.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command]) => command);
  expect(commands.slice(0, 2)).toEqual(['npm ci && npx loyalty-sim start', 'npm ci && npm test']);
});

it('the README can be read in a terminal', () => {
  const prose = readme.replaceAll(/```.*?```/gs, '');
  expect(prose.split('\n').filter((line) => line.length > 140)).toEqual([]);
});
