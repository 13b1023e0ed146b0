import { mutants } from '../test/clients/mutants.mjs';
import { mend } from '../test/agent/scripted-agent.ts';
import { tenTills, workplaceOf } from '../test/agent/planted-tills.ts';
import { connectAgent } from '../test/support/agent.ts';
import type { ProofRow } from './row.ts';

/** Lists what of a finding an agent is shown. */
const tellings = [
  { told: 'all that the tools say', reads: ['title', 'message', 'advice'] },
  { told: 'no advice', reads: ['title', 'message'] },
  { told: 'nothing but the verdict', reads: [] },
] as const;

/** Shows that what the MCP tools say is enough to fix a till. */
export const agents: ProofRow = {
  name: 'agents',
  what: 'tills with a planted defect that an agent fixes, which knows only the MCP tools',
  asked: '10 of 10 that break ten rules; fewer without advice',
  page: 'docs/agents.md',
  run: async (settings) => {
    const agent = await connectAgent({ isShared: true });
    const tills = mutants.filter(({ name }) => settings.isWanted(name));
    const ten = tenTills.filter(({ name }) => settings.isWanted(name));
    const fixed: Set<string>[] = [];
    for (const { told, reads } of tellings) {
      const names = new Set<string>();
      for (const till of tills) {
        const { isMended, changes } = await mend(agent, workplaceOf(till), { reads });
        if (isMended) names.add(till.name);
        settings.print(`  ${isMended ? '✓' : '✗'} ${told}: ${till.rule} ${till.name}, changes: ${changes}`);
      }
      fixed.push(names);
    }
    await agent.close();
    const [all = new Set(), withoutAdvice = new Set(), nothing = new Set()] = fixed;
    const ofTen = ten.filter(({ name }) => all.has(name)).length;
    return {
      figure: `${ofTen} of ${ten.length}; of all ${tills.length} defects ${all.size}, ${withoutAdvice.size} without advice, ${nothing.size} with nothing but the verdict`,
      isReached: ofTen === ten.length && withoutAdvice.size < all.size && nothing.size < withoutAdvice.size,
    };
  },
};
