import type { RunFlags } from '../actions/run.ts';
import {
  adminKeyFlag,
  failOnWarningsFlag,
  jsonFlag,
  personalDataFlag,
  repeatableFlag,
  withExamples,
} from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareRun: DeclareCommand = (program, done) => {
  const command = program
    .command('run')
    .description('run scripted scenarios: 0 PASS, 1 FAIL, 3 INCONCLUSIVE')
    .argument(
      '<scenarios...>',
      'scenario files with steps, stars allowed; folders of them; or names of built-in scenarios',
    )
    .option(
      '--url <url>',
      'simulator to run on, with a fresh tenant for each script (default: a fresh simulator for each)',
    )
    .option('--port <port>', 'port of the fresh simulator, for a system under test to call (default: any free one)')
    .option('--with-point-master', 'start a fake point master with each fresh simulator that is not of mode standard')
    .option('--api-key <key>', 'key to send with requests')
    .addOption(adminKeyFlag())
    .addOption(failOnWarningsFlag())
    .addOption(repeatableFlag('--report <form>', 'print text, json or junit, or write it to a file: junit=report.xml'))
    .addOption(jsonFlag('print the result as JSON, as --report json does'))
    .addOption(personalDataFlag())
    .action(async (files: string[], flags: RunFlags) => {
      const { runScripts } = await import('../actions/run.ts');
      done(await runScripts(files, flags));
    });
  withExamples(
    command,
    'loyalty-sim run lost-redeem',
    'loyalty-sim run scenarios/*.yaml --report junit=report.xml',
    'loyalty-sim run checkout.yaml --url http://127.0.0.1:4010',
  );
};
