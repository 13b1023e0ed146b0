/** The verdict on programs in several languages, each with the verdict that a strict but fair reviewer gives. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientTable as table } from '../clients/table/all.ts';
import { compileJava, differencesOf, has, isHindered, missingFor, runProgram } from '../support/client-table.ts';
import { startProgram, tidy } from '../support/command.ts';
import type { Running } from '../support/command.ts';
import { startProxies } from '../support/proxies.ts';
import type { Proxies } from '../support/proxies.ts';

let simulator: Running;
let proxies: Proxies;
let classes: string;

beforeAll(async () => {
  simulator = await startProgram(['start', '--port', '0', '--log', 'silent'], /(http:\/\/\S+)/);
  proxies = await startProxies(Number(new URL(simulator.found).port), has);
  classes = compileJava();
});

afterAll(() => {
  proxies.stop();
  tidy();
});

describe('the table of clients', () => {
  it('names each program once', () => {
    expect(new Set(table.map(({ name }) => name)).size).toBe(table.length);
  });
});

const languages = [...new Set(table.map(({ language }) => language))];
describe.each(languages)('in %s', (language) => {
  for (const program of table.filter((one) => one.language === language)) {
    const missing = missingFor(program);
    const title = `${program.name}${missing.length > 0 ? ` (no ${missing.join(', ')})` : ''}`;
    it.skipIf(missing.length > 0).concurrent(title, async (context) => {
      const url = simulator.found;
      const entrance = program.via === undefined ? url : (proxies.urls[program.via] ?? url);
      const verdict = await runProgram(program, { url, entrance, classes }).catch(String);
      const differences = typeof verdict === 'string' ? [verdict] : differencesOf(program, verdict);
      if (differences.length > 0 && typeof verdict !== 'string' && isHindered(program, verdict))
        context.skip(verdict.reason);
      if (program.knownWrong) expect(differences, 'it is right now: remove `knownWrong`').not.toEqual([]);
      else expect(differences, [program.why, ...differences].join('\n')).toEqual([]);
    });
  }
});
