/** Implements `loyalty-sim certify`: plays every fault and kill against a client, and writes a document, or compares with an earlier one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  exploredCommandHelp,
  levelFlag,
  mostJobsFlag,
  portPerRunFlag,
  runTimeoutFlag,
  showOutputFlag,
  parseLevel,
  readEarlierRun,
} from '../flags/explored-flags.ts';
import { typedFlags, withEmbeddedSimulatorFlags } from '../flags/simulator-flags.ts';
import { withExamples, describeArguments } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { monotonicNow, systemNow, toTimestamp } from '../../core/time/clock.ts';
import { certificateOf, certificateSchema } from '../../explore/certificate/certificate.ts';
import type { Certificate, CertificateFacts } from '../../explore/certificate/certificate.ts';
import { compareCertificates } from '../../explore/certificate/compare.ts';
import { certificateJson, certificateMarkdown, certificatePage } from '../../explore/certificate/reports.ts';
import { counted } from '../../explore/report/words.ts';
import { playSuite } from '../../explore/suite.ts';
import type { Suite } from '../../explore/suite.ts';
import { packageVersion } from '../../package/package-info.ts';
import { formatCertificate } from '../format/certificate.ts';
import { redactAll } from '../../core/exchange/redact.ts';
import { colorize, formatRunHeading } from '../format/runs.ts';
import { parseCount } from '../flags/count-flag.ts';
import { parseLengthFlag } from '../flags/length-flag.ts';
import { withExploredCommand } from '../process/explored-command.ts';
import type { ExploredFlags } from '../process/explored-command.ts';
import { RunCounter } from '../process/run-counter.ts';
import { stoppedCode } from '../process/signals.ts';
import { printLines, printNote, printResult } from '../process/terminal.ts';

interface CertifyFlags extends ExploredFlags {
  readonly name?: string | undefined;
  readonly level?: string | undefined;
  readonly kill?: boolean | undefined;
  readonly vary?: boolean | undefined;
  readonly budget?: string | undefined;
  readonly jobs?: string | undefined;
  readonly out?: string | undefined;
  readonly verify?: string | undefined;
  readonly json?: boolean | undefined;
}

export const declareCertify: DeclareCommand = (command, done) => {
  describeArguments(command, exploredCommandHelp);
  withEmbeddedSimulatorFlags(command, ['data', 'durable', 'acceptEdits'])
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

/** Sets how often a run that shows something wrong is made again. */
const repetitions = 2;

const exitCodes: Readonly<Record<Certificate['verdict'], number>> = { PASSED: 0, 'NOT PASSED': 1, INCONCLUSIVE: 3 };

async function certify(command: readonly string[], flags: CertifyFlags): Promise<number> {
  const earlier = flags.verify === undefined ? undefined : readCertificate(flags.verify, flags);
  const settings = earlier ? settingsOf(earlier) : settingsFrom(flags);
  const jobs = parseCount('--jobs', flags.jobs ?? '8');
  const timeout = parseLengthFlag('--timeout', settings.timeout);
  const budget = settings.budget === null ? undefined : parseLengthFlag('--budget', settings.budget);
  const folder = flags.out ?? (earlier ? undefined : 'certificate');
  if (folder !== undefined) write(folder, {});
  const [started, created] = [monotonicNow(), toTimestamp(systemNow())];
  return withExploredCommand({ command, flags, timeout }, async ({ client, codeOf, untilStopped }) => {
    printNote(formatRunHeading({ name: earlier ? `verifying ${flags.verify}` : 'certifying' }));
    const counter = new RunCounter();
    const suite = await untilStopped(
      playSuite(client, {
        levels: settings.level,
        kills: settings.kill,
        vary: settings.vary,
        jobs,
        budget,
        repetitions,
        select: () => () => true,
        onRun: (done) => counter.tell(done),
      }),
    );
    counter.end();
    if (!suite) return stoppedCode;
    const broken = whyNothingToCertify(suite);
    if (broken !== undefined) {
      printNote(colorize(`→ Nothing to certify: ${broken}`));
      return codeOf(suite.plain.number) || exitCodes.INCONCLUSIVE;
    }
    const facts: CertificateFacts = {
      client: flags.name ?? earlier?.client ?? null,
      stamps: { created, seconds: Math.round((monotonicNow() - started) / 1000) },
      versions: { simulator: packageVersion(), node: process.versions.node },
      settings,
    };
    // Redacted, it has the same form.
    const certificate = redactAll(certificateOf(suite, facts)) as Certificate;
    if (folder !== undefined) write(folder, filesOf(certificate));
    if (flags.json) printResult(JSON.stringify({ event: 'certified', ...certificate }));
    printLines(formatCertificate(certificate));
    if (earlier) return finishVerify(earlier, certificate);
    return exitCodes[certificate.verdict];
  });
}

/** Tells what differs; a certificate that is confirmed has the exit code of its verdict. */
function finishVerify(earlier: Certificate, now: Certificate): number {
  const lines = compareCertificates(earlier, now);
  printLines(lines.map((line) => colorize(`✗ ${line}`)));
  printNote(
    colorize(lines.length === 0 ? '✓ The certificate is confirmed.' : `FAIL: ${counted(lines.length, 'difference')}`),
  );
  return lines.length === 0 ? exitCodes[now.verdict] : 1;
}

function whyNothingToCertify({ plain: { end, calls } }: Suite): string | undefined {
  if (end.isTimedOut) return 'the client does not end by itself, without any fault; set a longer --timeout, or end it';
  if (end.failure !== undefined) return `the client fails without any fault: ${end.failure}`;
  return calls.length === 0 ? 'the client sent no request: does it take its base URL from LOYALTY_SIM_URL?' : undefined;
}

type CertifySettings = CertificateFacts['settings'];

function settingsFrom({
  level = '5',
  kill = true,
  vary = false,
  budget,
  timeout = '60s',
}: CertifyFlags): CertifySettings {
  return { level: parseLevel(level), kill, vary, budget: budget ?? null, timeout };
}

const settingsOf = ({ settings: { level, kill, vary, budget, timeout } }: Certificate): CertifySettings => ({
  level,
  kill,
  vary,
  budget,
  timeout,
});

/** Names the flags that a certificate has already settled. */
const answered = ['level', 'kill', 'vary', 'budget', 'timeout'] as const;

/** Reads the certificate of `--verify`. Throws `InputError` for another file, and for flags that would change its tests. */
function readCertificate(file: string, flags: CertifyFlags): Certificate {
  const given = answered.find((name) => flags[name] !== undefined);
  if (given !== undefined)
    throw new InputError(
      `--${given === 'kill' ? 'no-kill' : given}: can't be used with --verify, which takes it from ${file}`,
    );
  return readEarlierRun(
    { flag: '--verify', file, name: 'certificate.json of this version of loyalty-sim' },
    certificateSchema,
  );
}

const filesOf = (certificate: Certificate): Record<string, string> => ({
  'certificate.json': certificateJson(certificate),
  'certificate.md': certificateMarkdown(certificate),
  'certificate.html': certificatePage(certificate),
});

/** Writes files into a folder, which is made. Throws `InputError` when that is not possible. */
function write(folder: string, files: Readonly<Record<string, string>>): void {
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  } catch (error) {
    throw new InputError(
      `--out: ${folder} can't be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
