import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfigFile } from '../src/config/config.ts';
import { InputError } from '../src/core/lib/input-error.ts';
import { builtInScenarios } from '../src/scenario/built-in.ts';
import { readScenarioFile } from '../src/scenario/load.ts';
import { loadFixture } from '../src/storage/fixtures/load-fixture.ts';
import { diceFrom, misspelled, mutations, pick } from '../test/support/mutations.ts';
import type { ProofRow } from './row.ts';
import type { Dice } from './traffic.ts';

const [files, seed, slowest] = [10_000, 20261123, 1000];

/** Returns the processor time of this process in ms: other work on the machine makes nothing slower then. */
const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Reads a file of one kind; returns its mistakes. */
interface FileKind {
  readonly name: string;
  readonly texts: readonly string[];
  readonly check: (path: string) => readonly string[];
  /** Matches what stands before the names of keys that belong to the simulator, so that one can be misspelled. */
  readonly keys: RegExp;
}

const mistakesOf = (read: () => unknown): readonly string[] => {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
};

const fixtures = ['challenges', 'consents', 'household', 'levels', 'offers', 'orders', 'points', 'shop', 'point-shop'];

const config = {
  port: 4010,
  host: '127.0.0.1',
  fixtures: 'default',
  seed: 7,
  apiKeys: ['till-1', 'till-2'],
  tenants: 'path',
  scenario: ['outage'],
  queueDelay: '250ms',
  mode: 'point-follower',
  journalBytes: 1_000_000,
  assumptions: { 'A-19': 'upsert' },
  policy: { maxAttempts: 4, minBackoff: ['400ms', '800ms'] },
};

const kinds: readonly FileKind[] = [
  {
    name: 'scenario.yaml',
    texts: builtInScenarios().map((name) => readFileSync(`scenarios/${name}.yaml`, 'utf8').split(/^steps:/m)[0] ?? ''),
    check: (path) => mistakesOf(() => readScenarioFile(path)),
    keys: /^(?:name|description|rules|expectations|policy|assumptions)(?=:)|(?<=^ +(?:- )?)(?:match|fault|times|request|order|count)(?=:)/gm,
  },
  {
    name: 'fixture.json',
    texts: fixtures.map((name) => readFileSync(`test/support/${name}.json`, 'utf8')),
    check: (path) => mistakesOf(() => loadFixture(path, { seed: 1, clock: { offset: 0 } })),
    keys: /(?<=^ {2}")\w+(?=": [[{])/gm,
  },
  {
    name: 'loyalty-sim.config.json',
    texts: [JSON.stringify(config, null, 2)],
    check: (path) => mistakesOf(() => checkConfigFile(path)),
    keys: /(?<=^ {2}")\w+(?=":)/gm,
  },
];

const places = (name: string): RegExp =>
  new RegExp(String.raw`(?:^|/)${name.replaceAll('.', String.raw`\.`)}(?::\d+:\d+)?: .`);

/** Returns a text in which one of the simulator's own names is misspelled. */
function withMisspelling(text: string, { keys }: FileKind, dice: Dice): string {
  const found = [...text.matchAll(keys)];
  if (found.length === 0) return text;
  const { index, 0: name } = pick(found, dice);
  return text.slice(0, index) + misspelled(name, dice) + text.slice(index + name.length);
}

/** Shows that a damaged file is read or refused with the place of each mistake, and that no misspelled name is left out silently. */
export const mutatedFiles: ProofRow = {
  name: 'mutated-files',
  what: `${files} scenario, fixture and config files with a damaged byte, line, value, nesting or name (seed ${seed})`,
  asked: `each read, or refused with file and place within ${slowest} ms of processor time; each misspelled name refused`,
  page: 'docs/proof.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const folder = mkdtempSync(join(tmpdir(), 'loyalty-sim-mutated-'));
    const dice = diceFrom(seed);
    const changes = Object.values(mutations);
    let [read, refused, failures, longest] = [0, 0, 0, 0];
    const note = (what: string): void => {
      if (failures++ < 10) print(`  ${what}`);
    };
    for (const { name, texts, check } of kinds) {
      for (const text of texts) {
        writeFileSync(join(folder, name), text);
        for (const line of check(join(folder, name))) note(`undamaged: ${line}`);
      }
    }
    for (let i = 0; i < share(files); i++) {
      const kind = pick(kinds, dice);
      const isMisspelled = dice() < 0.2;
      const whole = pick(kind.texts, dice);
      const text = isMisspelled ? withMisspelling(whole, kind, dice) : pick(changes, dice)(whole, dice);
      const path = join(folder, kind.name);
      writeFileSync(path, text);
      const before = processorTime();
      try {
        const mistakes = kind.check(path);
        if (mistakes.length > 0) refused++;
        else read++;
        const placeless = mistakes.find((line) => !places(kind.name).test(line));
        if (placeless !== undefined) note(`${i}: ${kind.name}: a mistake without a place: ${placeless}`);
        if (isMisspelled && mistakes.length === 0 && text !== whole)
          note(`${i}: ${kind.name}: a misspelled name was left out`);
      } catch (error) {
        note(`${i}: ${kind.name}: ${error instanceof Error ? error.stack : error}`);
      }
      const took = processorTime() - before;
      longest = Math.max(longest, took);
      if (took > slowest) note(`${i}: ${kind.name}: took ${took.toFixed(0)} ms`);
    }
    const figure = `${read} read, ${refused} refused, ${failures} otherwise; ${longest.toFixed(0)} ms at the most`;
    return { figure, isReached: failures === 0 };
  },
};
