import { basename } from 'node:path';
import type { Flags } from '../../config/config.ts';
import { jsonFlag, withExamples, describeArguments } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { diagnosticsOf, formatDiagnostic, warningAt } from '../../core/validation/diagnostic.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { formatPath } from '../../core/validation/unknown-fields.ts';
import { checkConfigFile } from '../../config/config.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { options } from '../../config/options.ts';
import { fixtureSections } from '../../service/fixture-sections.ts';
import { loadFixture } from '../../storage/fixtures/load-fixture.ts';
import { expandFiles } from '../flags/file-arguments.ts';
import { printResult } from '../process/terminal.ts';
import { readTextFile } from '../../platform/read-file.ts';

export const declareValidate: DeclareCommand = (command, done) => {
  describeArguments(command, 'files, stars allowed, or folders of fixture files');
  command.addOption(jsonFlag()).action(async (files: string[], flags: Flags) => {
    done(await validate(files, flags));
  });
  withExamples(
    command,
    'loyalty-sim validate scenarios/*.yaml',
    'loyalty-sim validate loyalty-sim.config.json fixtures --json',
  );
};

interface Checked {
  readonly file: string;
  readonly kind: 'config' | 'fixture' | 'scenario';
  /** Lists mistakes, or remarks about a valid file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks files and prints the mistakes in each; exit code 2 when there are any. */
async function validate(files: readonly string[], { json }: Flags): Promise<number> {
  const checked = await Promise.all(expandFiles('validate', files).map(check));
  const isValid = checked.every(({ diagnostics }) => !diagnostics.some(isError));
  if (json) printResult(JSON.stringify({ event: 'validated', valid: isValid, files: checked.map(serialize) }));
  else for (const line of checked.flatMap(report)) printResult(line);
  return isValid ? 0 : 2;
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

const serialize = ({ file, kind, diagnostics }: Checked) => ({
  file,
  kind,
  diagnostics: diagnostics.map((one) => ({ ...one, path: formatPath(one.path) })),
});

const report = ({ file, kind, diagnostics }: Checked): readonly string[] =>
  diagnostics.some(isError)
    ? diagnostics.map(formatDiagnostic)
    : [`${file}: a valid ${kind}`, ...diagnostics.map((one) => `note: ${formatDiagnostic(one)}`)];

async function check(file: string): Promise<Checked> {
  const kind = kindOf(file);
  try {
    return { file, kind, diagnostics: (await checks[kind](file)) ?? [] };
  } catch (error) {
    if (error instanceof InputError) return { file, kind, diagnostics: diagnosticsOf(error) };
    throw error;
  }
}

function kindOf(file: string): Checked['kind'] {
  if (isConfigName(file)) return 'config';
  if (isScenario(file)) return 'scenario';
  return hasOption(file) ? 'config' : 'fixture';
}

/** Holds what reads a file of each kind: it throws an `InputError`, or returns remarks. */
const checks: Readonly<
  Record<Checked['kind'], (file: string) => void | readonly Diagnostic[] | Promise<readonly Diagnostic[]>>
> = {
  config: checkConfigFile,
  scenario: checkScenario,
  fixture: (file) => void loadFixture(file, { seed: 1, clock: { offset: 0 } }),
};

// `assumptions` is missing, because it is an option as well. A file with `master`, the former name of pointMaster, is
// still a scenario: its diagnostic names the new key.
const scenarioNames = [
  'name',
  'description',
  'rules',
  'webhooks',
  'pointMaster',
  'master',
  'imports',
  'expectations',
  'steps',
];

/** True for YAML, and for JSON with a key that neither fixtures nor config files have. */
function isScenario(file: string): boolean {
  if (/\.ya?ml$/i.test(file)) return true;
  const names = namesIn(file);
  return scenarioNames.some((name) => names.includes(name)) && !names.some(isSection);
}

const needsPointMaster = 'needs a point master: start and exec require --with-point-master, run starts one itself';

async function checkScenario(file: string): Promise<readonly Diagnostic[]> {
  const { readScenarioFile: readScenario } = await import('../../scenario/load.ts');
  const { warnings, spec, locate } = readScenario(file);
  const path = ['pointMaster'];
  const needs =
    (spec.pointMaster ?? []).length === 0 ? [] : [{ ...warningAt(path, needsPointMaster), file, ...locate(path) }];
  return [...warnings, ...needs];
}

const isConfigName = (file: string): boolean => basename(file).endsWith('config.json');

/** True for JSON with the key of an option. */
function hasOption(file: string): boolean {
  const names = namesIn(file);
  return names.some((name) => Object.hasOwn(options, name)) && !names.some(isSection);
}

const isSection = (name: string): boolean => fixtureSections.some((section) => section.name === name);

function namesIn(file: string): string[] {
  try {
    const content: unknown = JSON.parse(readTextFile(file));
    return typeof content === 'object' && content !== null ? Object.keys(content) : [];
  } catch {
    // A folder, or a text that the check itself reports.
    return [];
  }
}
