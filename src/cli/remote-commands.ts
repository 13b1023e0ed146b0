/** Declares the verbs that talk to a running simulator. */
import type { Command } from 'commander';
import type { RequestFilterFlags } from './format/requests.ts';

type OnExit = (exitCode: number) => void;

const withRemoteOptions = (verb: Command): Command =>
  verb
    .option('--url <url>', 'where the simulator is (default: http://127.0.0.1:4010, or LOYALTY_SIM_URL)')
    .option('--admin-key <key>', 'key of its control API (or LOYALTY_SIM_ADMIN_KEY)')
    .option('--tenant <name>', 'whose; "default" unless given')
    .option('--json', 'print the answer as JSON');

/** Of verbs that show what was sent or kept. */
const withDataOptions = (verb: Command): Command =>
  withRemoteOptions(verb).option('--show-personal-data', 'print personal numbers too, which are hidden otherwise');

const withFilterOptions = (verb: Command): Command =>
  verb
    .option('--method <method>', 'those with this method')
    .option('--path <path>', 'those of this path, with {name} for one part of it and * for any text')
    .option('--status <status>', 'those answered with a status such as 404, or a class such as 4xx')
    .option('--endpoint <id>', 'those of an endpoint, such as createContact')
    .option('--contains <text>', 'those with this text in their body')
    .option('--fault <rule>', 'those that this rule befell; any: those with a fault, none: those without')
    .option('--since <request>', 'those after this one, by its id or number')
    .option('--warnings', 'those with warnings')
    .option('--no-warnings', 'those without');

export function declareRemoteCommands(program: Command, done: OnExit): void {
  declareClock(program, done);
  declareReset(program, done);
  declareSnapshot(program, done);
  declareRequests(program, done);
  declareTrigger(program, done);
  declareRun(program, done);
  withDataOptions(program.command('verify'))
    .description('say whether a running simulator was called as its scenario expects: 0 yes, 1 no, 3 inconclusive')
    .option('--expect <file>', 'hold it against the expectations of a file instead of those of its scenario')
    .option('--wait <duration>', 'how long to wait until all is as expected (default: 0s)')
    .action(async (flags) => done(await (await import('./commands/verify.ts')).verifyCommand(flags)));
  withRemoteOptions(program.command('openapi'))
    .description('print the OpenAPI document: of the code, or with --url of a running simulator')
    .action(async (flags) => done(await (await import('./commands/openapi.ts')).openapiCommand(flags)));
}

function declareClock(program: Command, done: OnExit): void {
  withDataOptions(program.command('clock'))
    .description('show the clock of a running simulator, or turn it')
    .option('--freeze', 'stop time')
    .option('--resume', 'let time run on from where it stands')
    .option('--set <timestamp>', 'show this moment; work that falls due until then is done, going back undoes nothing')
    .option('--advance <duration>', 'let this much time pass, as 30d, 2h or P1M; work that falls due is done')
    .action(async (flags) => done(await (await import('./commands/clock.ts')).clockCommand(flags)));
}

function declareReset(program: Command, done: OnExit): void {
  withRemoteOptions(program.command('reset'))
    .description('put a running simulator back to its start')
    .option('--scope <name>', 'a part of it: state, journal, faults, clock, queue, webhooks (repeatable)', collect)
    .action(async (flags) => done(await (await import('./commands/reset.ts')).resetCommand(flags)));
}

function declareSnapshot(program: Command, done: OnExit): void {
  const snapshot = program.command('snapshot').description('keep the state of a running simulator under a name');
  withRemoteOptions(snapshot.command('list'))
    .description('list the snapshots')
    .action(async (flags) => done(await (await import('./commands/snapshot.ts')).snapshotListCommand(flags)));
  withRemoteOptions(snapshot.command('take <name>'))
    .description('keep state, queue and clock as they are')
    .action(async (name, flags) =>
      done(await (await import('./commands/snapshot.ts')).snapshotTakeCommand(name, flags)),
    );
  withRemoteOptions(snapshot.command('restore <name>'))
    .description('put state, queue and clock back')
    .action(async (name, flags) =>
      done(await (await import('./commands/snapshot.ts')).snapshotRestoreCommand(name, flags)),
    );
  withRemoteOptions(snapshot.command('delete <name>'))
    .description('forget a snapshot')
    .action(async (name, flags) =>
      done(await (await import('./commands/snapshot.ts')).snapshotDeleteCommand(name, flags)),
    );
  withDataOptions(snapshot.command('diff'))
    .description('tell what differs, row by row and field by field')
    .option('--from <name>', 'a snapshot, "seed" or "current" (default: seed)')
    .option('--to <name>', 'a snapshot, "seed" or "current" (default: current)')
    .option('--limit <n>', 'how many rows to list, at most 1000 (default: 100)')
    .action(async (flags) => done(await (await import('./commands/snapshot.ts')).snapshotDiffCommand(flags)));
}

function declareRequests(program: Command, done: OnExit): void {
  withFilterOptions(withDataOptions(program.command('requests')))
    .description('show what a running simulator was asked, the newest last')
    .option('--follow', 'go on showing what it is asked, until stopped')
    .option('--limit <n>', 'how many at the most (default: 50)')
    .action(async (flags) => done(await (await import('./commands/requests.ts')).requestsCommand(flags)));
  withFilterOptions(withRemoteOptions(program.command('wait')))
    .description('wait until a running simulator was asked often enough; ends with 1 when time is up')
    .option('--count <n>', 'how many requests to wait for (default: 1)')
    .option('--timeout <duration>', 'how long to wait (default: 30s)')
    .action(async (flags: RequestFilterFlags) => done(await (await import('./commands/wait.ts')).waitCommand(flags)));
}

function declareTrigger(program: Command, done: OnExit): void {
  withDataOptions(program.command('trigger'))
    .description('let something happen inside the service of a running simulator')
    .argument(
      '<event>',
      'adjustPoints, assignPromotion, assignChallenge, convertPoints, switchPendingPoints or syncBalances',
    )
    .option('--contact-id <id>', 'to whom')
    .option('--definition-id <id>', 'of which point or challenge definition')
    .option('--promotion-id <id>', 'which promotion')
    .option('--amount <n>', 'how many points; fewer than 0 are taken away')
    .option('--description <text>', 'what stands on the transaction')
    .option('--by <whom>', 'automation or manual')
    .option('--user-name <name>', 'who adjusts by hand; a point master is told, as of the next five')
    .option('--user-id <id>', 'the id of who adjusts by hand')
    .option('--workflow-name <name>', 'the automation that adjusts')
    .option('--workflow-id <id>', 'its id')
    .option('--process-id <id>', 'the id of its run')
    .option('--reason <text>', 'why it adjusts')
    .option('--active', 'pending points are switched on')
    .option('--no-active', 'pending points are switched off')
    .action(async (event, flags) => done(await (await import('./commands/trigger.ts')).triggerCommand(event, flags)));
}

function declareRun(program: Command, done: OnExit): void {
  program
    .command('run')
    .description('play scripted scenarios: 0 all as expected, 1 not, 3 inconclusive')
    .argument('<scenarios...>', 'scenario files with steps, folders of them, or names of those that come along')
    .option('--url <url>', 'play on a running simulator, on a fresh tenant for each; a fresh simulator unless given')
    .option('--port <port>', 'port of the fresh simulator, for a system under test to call; any free one unless given')
    .option('--with-point-master', 'a fake point master beside each fresh simulator that is not of mode standard')
    .option('--api-key <key>', 'key to send with requests')
    .option('--admin-key <key>', 'key of the control API (or LOYALTY_SIM_ADMIN_KEY)')
    .option('--report <form>', 'text, json or junit, or to a file, as junit=report.xml (repeatable)', collect)
    .option('--json', 'the same as --report json')
    .option('--show-personal-data', 'print personal numbers too, which are hidden otherwise')
    .action(async (files, flags) => done(await (await import('./commands/run.ts')).runScenariosCommand(files, flags)));
}

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];
