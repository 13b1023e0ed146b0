/** What a client is held to beside the specification, and where that is declared. */
import { afterEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createSim } from '../../src/simulator/create-sim.ts';
import { runCommand, tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';
import { findingsOf, sendReceipt, times } from '../support/judged.ts';
import { openFailingSim } from '../support/open-sim.ts';

afterEach(tidy);

it.each([
  ['the options', {}, { maxAttempts: 1 }, ['R7 fail']],
  ['the scenario', { maxAttempts: 1 }, {}, ['R7 fail']],
  ['both, of which the scenario counts', { maxAttempts: 2 }, { maxAttempts: 1, minBackoff: 0 }, []],
])('a policy may be declared in %s', async (_, inScenario, inOptions, found) => {
  const client = await openFailingSim({ createReceipt: [504] }, inScenario, { policy: inOptions });
  await times(2, () => sendReceipt(client, 'till-1'));
  expect(await findingsOf(client)).toEqual(found);
});

it('a policy is refused with every mistake in it', async () => {
  const policy = { maxAttempts: 0, minBackoff: 'soon' };
  await expect(createSim({ policy })).rejects.toThrow(
    'policy.maxAttempts: must be at least 1, not 0\npolicy.minBackoff: must be a duration such as 500ms',
  );
});

it('a policy may stand in the config file, where its mistakes are shown with their places', async () => {
  const folder = folderWith({ 'loyalty-sim.config.json': '{\n  "policy": { "maxAttemps": 4 }\n}\n' });
  const { code, stderr } = await runCommand(['start'], { folder });
  expect(code).toBe(2);
  expect(stderr).toContain('config.json:2:15: policy.maxAttemps: is not a field here; did you mean "maxAttempts"?');
});

it('a policy may be given as a flag', () => {
  const { policy } = loadConfig({ flags: { policy: '{"maxAttempts":4,"minBackoff":"1s"}' }, env: {}, folder: '/' });
  expect(policy).toEqual({ maxAttempts: 4, minBackoff: '1s' });
});
