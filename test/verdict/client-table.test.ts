/** The verdict on programs in several languages, each with the verdict that a strict but fair reviewer gives. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { javascript } from '../clients/table/javascript.ts';
import { shell } from '../clients/table/shell.ts';
import { compileJava, differencesOf, isHindered, missingFor, runProgram } from '../support/client-table.ts';
import { startProgram, tidy } from '../support/command.ts';
import type { Running } from '../support/command.ts';

const table = [...javascript, ...shell];
let simulator: Running;
let classes: string;

beforeAll(async () => {
  simulator = await startProgram(['start', '--port', '0', '--log', 'silent'], /(http:\/\/\S+)/);
  classes = compileJava();
});

afterAll(tidy);

it('names each program once', () => {
  expect(new Set(table.map(({ name }) => name)).size).toBe(table.length);
});

const languages = [...new Set(table.map(({ language }) => language))];
describe.each(languages)('in %s', (language) => {
  for (const program of table.filter((one) => one.language === language)) {
    const missing = missingFor(program);
    const title = `${program.name}${missing.length > 0 ? ` (no ${missing.join(', ')})` : ''}`;
    it.skipIf(missing.length > 0).concurrent(title, async (context) => {
      const url = simulator.found;
      const verdict = await runProgram(program, { url, entrance: url, classes }).catch(String);
      const differences = typeof verdict === 'string' ? [verdict] : differencesOf(program, verdict);
      if (differences.length > 0 && typeof verdict !== 'string' && isHindered(verdict)) context.skip(verdict.reason);
      if (program.knownWrong) expect(differences, 'it is right now: remove `knownWrong`').not.toEqual([]);
      else expect(differences, program.why).toEqual([]);
    });
  }
});
