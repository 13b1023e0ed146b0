import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { flagOf, optionList, variableOf } from '../../src/options.ts';

const readme = readFileSync('README.md', 'utf8');

it('starts with the two commands, each as one', () => {
  const commands = [...readme.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command]) => command);
  expect(commands.slice(0, 2)).toEqual(['npm ci && npx loyalty-sim start', 'npm ci && npm test']);
});

it.each(optionList.map(([name, option]) => ({ name, option })))('tells of the option $name', ({ name, option }) => {
  const row = readme.split('\n').find((line) => line.includes(`| \`${flagOf(name)}`)) ?? '';
  const standard = option.schema.safeParse(undefined).data;
  expect(row).toContain(`\`${variableOf(name, option)}\``);
  expect(row).toContain(`| \`${name}\``);
  if (typeof standard === 'string' || typeof standard === 'number')
    expect(row).toMatch(new RegExp(`\\| ${standard} +\\|`));
});
