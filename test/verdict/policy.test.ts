/** What a client is held to beside the specification, and where that is declared. */
import { afterEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createSim } from '../../src/simulator/create-sim.ts';
import { folderWith, runCommand, tidy } from '../support/command.ts';
import { findingsOf, openFailing, sendReceipt, times } from '../support/judged.ts';

afterEach(tidy);

it.each([
  ['the options', {}, { attempts: 1 }, ['R7 fail']],
  ['the scenario', { attempts: 1 }, {}, ['R7 fail']],
  ['both, of which the scenario counts', { attempts: 2 }, { attempts: 1, minPause: 0 }, []],
])('may be declared in %s', async (_, inScenario, inOptions, found) => {
  const client = await openFailing({ createReceipt: [504] }, inScenario, { policy: inOptions });
  await times(2, () => sendReceipt(client, 'till-1'));
  expect(await findingsOf(client)).toEqual(found);
});

it('is refused with every mistake in it', async () => {
  const policy = { attempts: 0, minPause: 'soon' };
  await expect(createSim({ policy })).rejects.toThrow(
    'policy.attempts must be at least 1, not 0\npolicy.minPause must be a duration such as 500ms',
  );
});

it('may stand in the config file, where its mistakes are told with their places', async () => {
  const folder = folderWith({ 'loyalty-sim.config.json': '{\n  "policy": { "attemps": 4 }\n}\n' });
  const { code, stderr } = await runCommand(['start'], { folder });
  expect(code).toBe(2);
  expect(stderr).toContain('config.json:2:15: policy.attemps: is not a field here; did you mean "attempts"?');
});

it('may be given as a flag', () => {
  const { policy } = loadConfig({ flags: { policy: '{"attempts":4,"minPause":"1s"}' }, env: {}, folder: '/' });
  expect(policy).toEqual({ attempts: 4, minPause: '1s' });
});
