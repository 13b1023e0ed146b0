import type { CertifyFlags } from '../actions/certify.ts';
import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { flagWithDefault, withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareCertify: DeclareCommand = (program, done) => {
  const command = withEmbeddedSimulatorFlags(program.command('certify'), ['data'])
    .description('test a client with every fault and kill, and write a document of what it did and what was not tested')
    .argument(
      '<command...>',
      'command to run, after --; {run} in it is the number of the run, {folder} an empty folder, {port} a free port',
    )
    .option('--name <text>', 'name and version of the client, as the document is to call it')
    .addOption(
      flagWithDefault(
        '--level <1-5>',
        'how far to go: 1 single faults, 2 lasting ones, 3 outages, 4 second faults after a first, 5 webhooks late or twice',
        '5',
      ),
    )
    .option('--no-kill', 'do not kill the command: for one that does all its work again when it is restarted')
    .option('--budget <duration>', 'time after which no run is begun (default: none)')
    .addOption(flagWithDefault('--jobs <n>', 'number of runs side by side', '8'))
    .addOption(flagWithDefault('--timeout <duration>', 'longest time for each run', '60s'))
    .option('--out <folder>', 'folder for certificate.html, .md and .json (default: certificate; none with --verify)')
    .option('--verify <file>', 'run the tests of this certificate.json again, and tell row by row what differs')
    .option('--port-per-run', 'give each run a port of its own, for a client that takes no path in its base URL')
    .option('--show-output', 'show what the client prints in every run, not in the first alone')
    .action(async (words: string[]) => {
      const { certify } = await import('../actions/certify.ts');
      // The flags that are not options of a simulator are those declared above.
      done(await certify(words, typedFlags(command) as CertifyFlags));
    });
  withExamples(
    command,
    'loyalty-sim certify -- node till.js --files {folder}',
    "loyalty-sim certify --name 'till 4.2' --out acceptance -- node till.js --files {folder}",
    'loyalty-sim certify --verify certificate/certificate.json -- node till.js --files {folder}',
    'loyalty-sim certify --no-kill --level 2 -- npm test',
  );
};
