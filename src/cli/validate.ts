import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { configFileFaults } from '../config.ts';
import type { Flags } from '../config.ts';
import { InputError } from '../core/errors.ts';
import { options } from '../options.ts';
import { fixtureSections } from '../resources/fixture-sections.ts';
import { readFixtures } from '../storage/fixtures.ts';
import { printResult } from './print.ts';

interface Checked {
  readonly file: string;
  readonly kind: 'config' | 'fixture';
  /** `file:line:column: what`, one a line. */
  readonly problems: readonly string[];
}

/** Checks files and says what is wrong with each; exit code 2 when anything is. */
export async function validate(files: readonly string[], { json }: Flags): Promise<number> {
  const checked = files.map(check);
  const isValid = checked.every(({ problems }) => problems.length === 0);
  if (json) printResult(JSON.stringify({ event: 'validated', valid: isValid, files: checked }));
  else for (const line of checked.flatMap(report)) printResult(line);
  return isValid ? 0 : 2;
}

function check(file: string): Checked {
  if (isConfig(file)) return { file, kind: 'config', problems: configFileFaults(file) };
  return { file, kind: 'fixture', problems: fixtureProblems(file) };
}

const report = ({ file, kind, problems }: Checked): readonly string[] =>
  problems.length === 0 ? [`${file}: a valid ${kind}`] : problems;

/** By its name, or by what stands in it. */
function isConfig(file: string): boolean {
  if (basename(file).endsWith('config.json')) return true;
  const names = namesIn(file);
  return names.some((name) => Object.hasOwn(options, name)) && !names.some(isSection);
}

const isSection = (name: string): boolean => fixtureSections.some((section) => section.name === name);

function namesIn(file: string): string[] {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof content === 'object' && content !== null ? Object.keys(content) : [];
  } catch {
    // A folder, or a text that the check itself finds fault with.
    return [];
  }
}

function fixtureProblems(file: string): string[] {
  try {
    readFixtures(file, { seed: 1, clock: { offset: 0 } });
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
}
