/** Whether what the tools say is enough to fix a till: an agent that knows nothing else fixes ten with a planted defect each. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectAgent } from '../support/agent.ts';
import type { Agent } from '../support/agent.ts';
import { tidy } from '../support/command.ts';
import { inTime } from '../support/in-time.ts';
import { tenTills, workplaceOf } from './planted-tills.ts';
import { mend } from './scripted-agent.ts';

let agent: Agent;
beforeAll(async () => {
  agent = await connectAgent({ isShared: true });
});
afterEach(tidy);
afterAll(() => agent.close());

describe('an agent that knows what the tools say', inTime, () => {
  it.each(tenTills)('fixes a till that $name', async (defect) => {
    const { isMended, steps } = await mend(agent, workplaceOf(defect));
    expect(isMended, steps.join('\n')).toBe(true);
  });

  it('is told that the till passes cases of the suite then, as it did not before', async () => {
    const [defect] = tenTills;
    if (!defect) throw new Error('there is no till');
    const till = workplaceOf(defect);
    const check = { command: till.command, policy: defect.scenario.policy, cases: ['createReceipt/504'], jobs: 2 };
    expect((await agent.call('check_conformance', check)).data.verdict).toBe('FAIL');
    await mend(agent, till);
    expect((await agent.call('check_conformance', check)).data.verdict).toBe('PASS');
  });
});

function tillFor(rule: string) {
  const defect = tenTills.find((one) => one.rule === rule);
  if (!defect) throw new Error(`there is no till for ${rule}`);
  return workplaceOf(defect);
}

describe('an agent that is not told', () => {
  it('what to change, fixes no till that does not pause', async () => {
    expect(await mend(agent, tillFor('R6'), { reads: ['title', 'message'] })).toMatchObject({ isMended: false });
  });

  it.each(['R4', 'R11'])('anything of a finding, fixes no till that breaks %s', async (rule) => {
    expect(await mend(agent, tillFor(rule), { reads: [] })).toMatchObject({ isMended: false });
  });
});
