/** Declares the flags of commands that talk to a running simulator. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { adminKeyFlag, jsonFlag, personalDataFlag } from './shared-flags.ts';

/** Adds the flags that select a simulator and a tenant. */
export const withRemoteFlags = (command: Command): Command =>
  command
    .option('--url <url>', 'address of the simulator (default: LOYALTY_SIM_URL, or http://127.0.0.1:4010)')
    .addOption(adminKeyFlag())
    // Without a default of commander's: the address may name a tenant too.
    .addOption(new Option('--tenant <name>', 'name of the tenant (default: default)'))
    .addOption(jsonFlag());

/** Adds the flags of commands that print sent or stored data. */
export const withDataFlags = (command: Command): Command => withRemoteFlags(command).addOption(personalDataFlag());

/** Adds the flags that select requests. */
export const withFilterFlags = (command: Command): Command =>
  command
    .optionsGroup('Filters:')
    .option('--method <method>', 'only requests with this method')
    .option('--path <path>', 'only requests to this path; {name} stands for one segment, * for any text')
    .option('--status <status>', 'only responses with a status such as 404, or a class such as 4xx')
    .option('--endpoint <id>', 'only requests to this endpoint, such as createContact')
    .option('--contains <text>', 'only requests with this text in their body')
    .option('--fault <rule>', 'only requests hit by this rule; any: hit by a fault, none: not hit by any')
    .option('--since <request>', 'only requests after this one, by its id or number')
    .option('--warnings', 'only requests with warnings')
    .option('--no-warnings', 'only requests without warnings')
    .optionsGroup('Options:');
