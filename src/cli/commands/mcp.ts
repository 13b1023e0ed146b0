import type { McpFlags } from '../actions/mcp.ts';
import { adminKeyFlag, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareMcp: DeclareCommand = (program, done) => {
  const command = program
    .command('mcp')
    .description('serve a coding agent by the Model Context Protocol, over standard input and output')
    .option('--url <url>', 'address of a running simulator that the tools talk to (default: LOYALTY_SIM_URL, or none)')
    .addOption(adminKeyFlag())
    .option('--no-exec', 'leave out the tools that run commands')
    .action(async (flags: McpFlags) => {
      const { mcp } = await import('../actions/mcp.ts');
      done(await mcp(flags));
    });
  withExamples(command, 'loyalty-sim mcp', 'loyalty-sim mcp --no-exec --url http://127.0.0.1:4010');
};
