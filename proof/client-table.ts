import { clientTable as table } from '../test/clients/table/all.ts';
import type { ClientProgram } from '../test/clients/table/client-program.ts';
import { compileJava, differencesOf, has, isHindered, missingFor, runProgram } from '../test/support/client-table.ts';
import { startProgram, tidy } from '../test/support/command.ts';
import { startProxies } from '../test/support/proxies.ts';
import { caseLine } from './explored.ts';
import type { ProofRow } from './row.ts';

const [times, atOnce] = [3, 4];

/** Shows that programs in several languages, and behind proxies, are judged as somebody wrote down before they ran. */
export const clientTable: ProofRow = {
  name: 'client-table',
  what: `client programs in several languages and behind proxies, ${atOnce} at once, ${times} times: judged otherwise than written down`,
  asked: '0',
  page: 'docs/proof.md',
  run: async ({ isWanted, print }) => {
    const programs = table.filter((one) => isWanted(one.name) && missingFor(one).length === 0);
    const simulator = await startProgram(['start', '--port', '0', '--log', 'silent'], /(http:\/\/\S+)/);
    const { urls, stop } = await startProxies(Number(new URL(simulator.found).port), has);
    const classes = compileJava();
    let [wrong, hindered] = [0, 0];
    const judge = async (program: ClientProgram, url: string): Promise<void> => {
      const entrance = program.via === undefined ? url : (urls[program.via] ?? url);
      const verdict = await runProgram(program, { url, entrance, classes }).catch(String);
      const differences = typeof verdict === 'string' ? [verdict] : differencesOf(program, verdict);
      const isOpen = typeof verdict !== 'string' && isHindered(program, verdict);
      if (isOpen) hindered++;
      else if (differences.length > 0) wrong++;
      if (differences.length > 0)
        print(caseLine(isOpen, `${program.name} (${program.language})`, differences.join('; '), []));
    };
    for (let time = 0; time < times; time++) {
      const queue = programs[Symbol.iterator]();
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (const program of queue) await judge(program, simulator.found);
        }),
      );
    }
    stop();
    tidy();
    const figure = `${wrong} of ${times * programs.length}, ${hindered} kept open because the machine was late; ${table.length - programs.length} programs are not there`;
    return { figure, isReached: wrong === 0 };
  },
};
