import { basename } from 'node:path';
import type { Flags } from '../../config/config.ts';
import { jsonFlag, withExamples, describeArguments } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';
import { formatDiagnostic, warningAt } from '../../core/validation/diagnostic.ts';
import { configFileErrors } from '../../config/config.ts';
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
  /** Lists mistakes, each as `file:line:column: message`. */
  readonly problems: readonly string[];
  /** Lists remarks about a valid file. */
  readonly notes?: readonly string[];
}

/** Checks files and prints the mistakes in each; exit code 2 when there are any. */
async function validate(files: readonly string[], { json }: Flags): Promise<number> {
  const checked = await Promise.all(expandFiles('validate', files).map(check));
  const isValid = checked.every(({ problems }) => problems.length === 0);
  if (json) printResult(JSON.stringify({ event: 'validated', valid: isValid, files: checked }));
  else for (const line of checked.flatMap(report)) printResult(line);
  return isValid ? 0 : 2;
}

async function check(file: string): Promise<Checked> {
  if (!isConfigName(file) && isScenario(file)) return checkScenario(file);
  if (isConfigName(file) || hasOption(file)) return { file, kind: 'config', problems: configFileErrors(file) };
  return { file, kind: 'fixture', problems: fixtureProblems(file) };
}

const report = ({ file, kind, problems, notes = [] }: Checked): readonly string[] =>
  problems.length === 0 ? [`${file}: a valid ${kind}`, ...notes.map((note) => `note: ${note}`)] : problems;

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

async function checkScenario(file: string): Promise<Checked> {
  const { readScenarioFile: readScenario } = await import('../../scenario/load.ts');
  try {
    const { warnings, spec, locate } = readScenario(file);
    const path = ['pointMaster'];
    const needs =
      (spec.pointMaster ?? []).length === 0 ? [] : [{ ...warningAt(path, needsPointMaster), file, ...locate(path) }];
    return { file, kind: 'scenario', problems: [], notes: [...warnings, ...needs].map(formatDiagnostic) };
  } catch (error) {
    if (error instanceof InputError) return { file, kind: 'scenario', problems: error.message.split('\n') };
    throw error;
  }
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

function fixtureProblems(file: string): string[] {
  try {
    loadFixture(file, { seed: 1, clock: { offset: 0 } });
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
}
