import type { CertifyFlags } from '../actions/certify.ts';
import {
  exploredCommandHelp,
  levelFlag,
  mostJobsFlag,
  portPerRunFlag,
  runTimeoutFlag,
  showOutputFlag,
} from '../flags/explored-flags.ts';
import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareCertify: DeclareCommand = (program, done) => {
  const command = withEmbeddedSimulatorFlags(program.command('certify'), ['data', 'durable', 'acceptEdits'])
    .description('test a client with every fault and kill, and write a document of what it did and what was not tested')
    .argument('<command...>', exploredCommandHelp)
    .option('--name <text>', 'name and version of the client, as the document is to call it')
    .addOption(levelFlag('5'))
    .option('--no-kill', 'do not kill the command: for one that does all its work again when it is restarted')
    .option('--vary', 'run what failed, and what passed, under every variant of the assumptions that it rests on')
    .option('--budget <duration>', 'time after which no run is begun (default: none)')
    .addOption(mostJobsFlag('8'))
    .addOption(runTimeoutFlag())
    .option('--out <folder>', 'folder for certificate.html, .md and .json (default: certificate; none with --verify)')
    .option('--verify <file>', 'run the tests of this certificate.json again, and tell row by row what differs')
    .addOption(portPerRunFlag())
    .addOption(showOutputFlag())
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
