import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../../support/command.ts';
import { folderWith } from '../../support/folders.ts';
import type { Started } from '../../support/command.ts';

afterEach(tidy);

const failing = (status: number): string =>
  `name: failing\nrules:\n  - {id: first, match: {endpoint: countContacts}, fault: ${status}}\n`;

const count = async ({ url }: Started): Promise<number> => (await fetch(`${url}/api/v3/contacts/count`)).status;

const setup = async ({ url }: Started): Promise<unknown> => (await fetch(`${url}/__admin/tenants/default`)).json();

/** Waits until a text stands on standard error. */
async function told({ written }: Started, text: string): Promise<string> {
  while (!written.stderr.includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
  return written.stderr;
}

describe('start --scenario', () => {
  it('lets go wrong what the file says, and says so', async () => {
    const folder = folderWith({ 'a.yaml': failing(504) });
    const started = await startCommand(['--scenario', 'a.yaml'], { folder });
    expect(await count(started)).toBe(504);
    expect(await told(started, 'scenario')).toContain('scenario  failing: 1 rule of a.yaml');
  });

  it('reads it where the config file says, from its own folder', async () => {
    const folder = folderWith({ 'a.yaml': failing(503), 'loyalty-sim.config.json': { scenario: ['a.yaml'] } });
    const config = join(folder, 'loyalty-sim.config.json');
    expect(await count(await startCommand(['--config', config]))).toBe(503);
  });

  it('refuses what is wrong, every mistake with its place', async () => {
    const folder = folderWith({ 'a.yaml': 'nam: a\n', 'b.yaml': 'rules:\n  - {fault: 504, tims: 2}\n' });
    const { code, stderr } = await runCommand(['start', '--scenario', 'a.yaml', '--scenario', 'b.yaml'], { folder });
    expect([code, stderr]).toEqual([
      2,
      'error: a.yaml:1:1: nam: is not a field here; did you mean "name"?\n' +
        'b.yaml:2:18: rules[0].tims: is not a field here; did you mean "times"?\n',
    ]);
  });

  it('says which set-up is used where files, flags and environment differ', async () => {
    const folder = folderWith({ 'a.yaml': 'seed: 5\nmode: point-follower\n', 'b.yaml': 'seed: 6\n' });
    const args = ['--scenario', 'a.yaml', '--scenario', 'b.yaml', '--mode', 'standard'];
    const started = await startCommand(args, { folder, env: { LOYALTY_SIM_SEED: '9' } });
    expect(await setup(started)).toMatchObject({ mode: 'standard', seed: 6 });
    const { stderr } = await started.signal('SIGTERM');
    expect(stderr).toContain('b.yaml:1:1: seed: is used instead of 5, which a.yaml says\n');
    expect(stderr).toContain("mode: standard is used, not the scenario's point-follower\n");
    expect(stderr).toContain("seed: the scenario's 6 is used, not 9 of config file or environment\n");
  });
});

describe('start --watch', () => {
  it('takes up what changes, also when an editor puts a new file in the place of the old', async () => {
    const folder = folderWith({ 'a.yaml': failing(504) });
    const started = await startCommand(['--scenario', 'a.yaml', '--watch'], { folder });
    writeFileSync(join(folder, 'next'), failing(503));
    renameSync(join(folder, 'next'), join(folder, 'a.yaml'));
    await told(started, 'scenario reloaded: rule first changed, its counters are at zero\n');
    expect(await count(started)).toBe(503);
  });

  it('keeps the old one when the new one is broken, and says why', async () => {
    const folder = folderWith({ 'a.yaml': failing(504) });
    const started = await startCommand(['--scenario', 'a.yaml', '--watch'], { folder });
    writeFileSync(join(folder, 'a.yaml'), failing(1));
    const stderr = await told(started, 'a status from 200 to 599, not 1\n');
    expect(stderr).toContain(
      'scenario not reloaded, the previous one stays active:\na.yaml:3:51: rules[0].fault: must be',
    );
    expect(await count(started)).toBe(504);
  });

  it('starts tenants again when their set-up changes', async () => {
    const folder = folderWith({ 'a.yaml': 'seed: 1\n' });
    const started = await startCommand(['--scenario', 'a.yaml', '--watch'], { folder });
    writeFileSync(join(folder, 'a.yaml'), 'seed: 2\n');
    await told(started, 'scenario reloaded: seed changed: default starts again from the fixtures\n');
    expect(await setup(started)).toMatchObject({ seed: 2 });
  });

  it('wants something to watch', async () => {
    const { code, stderr } = await runCommand(['start', '--watch']);
    expect([code, stderr]).toEqual([
      2,
      'error: watch: there is nothing to watch; name a scenario with --scenario <file>\n',
    ]);
  });
});
