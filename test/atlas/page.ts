/** Writes docs/retry-atlas.md, and a page for each language, from what the atlas has found. */
import { readFileSync } from 'node:fs';
import { calls, faults, retryAfter } from './cells.ts';
import type { Call, FaultColumn } from './cells.ts';
import { describeDocumented, expectedOf, longestWait } from './expectation.ts';
import { pathOf } from './programs.ts';
import type { Mode } from './programs.ts';
import { attemptsOf, resultOf } from './results.ts';
import type { Results, SetupResults } from './results.ts';
import { languages } from './setup.ts';
import type { Language, Setup } from './setup.ts';
import { setups } from './setups/index.ts';

const note = '<!-- Made by `npm run atlas` from test/atlas. Change that, not this. -->';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (names: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(names), row(names.map(() => '---')), ...rows.map(row)].join('\n');

const everyCell: readonly { readonly call: Call; readonly fault: FaultColumn }[] = calls.flatMap((call) =>
  faults.map((fault) => ({ call, fault })),
);

const cellsOf = (found: SetupResults, mode: Mode): string[] =>
  everyCell.map(({ call, fault }) => resultOf(found, mode, call.name, fault.name));

const passesAll = (found: SetupResults): boolean => cellsOf(found, 'byDefault').every((cell) => cell === '✓');

const doublesPoints = (found: SetupResults): boolean =>
  faults.some(({ name }) => resultOf(found, 'byDefault', 'points', name).split('+').includes('R10'));

const repeatsPost = (found: SetupResults): boolean =>
  everyCell.some(({ call, fault }) => call.method === 'POST' && attemptsOf(found, call.name, fault.name) > 1);

/** How it treats Retry-After: it heeds it, comes earlier, or gives up at once. */
function retryAfterOf(found: SetupResults): 'waits' | 'ignores' | 'gives up' {
  if (calls.some(({ name }) => resultOf(found, 'byDefault', name, '429').includes('R6'))) return 'ignores';
  return calls.some(({ name }) => attemptsOf(found, name, '429') > 1) ? 'waits' : 'gives up';
}

const waitsForEver = (found: SetupResults): boolean =>
  calls.some(({ name }) => resultOf(found, 'byDefault', name, 'hang') === '∞');

/** Counts for the summary. */
export function countSetups(results: Results) {
  const all = Object.values(results);
  const count = (holds: (found: SetupResults) => boolean): number => all.filter(holds).length;
  return {
    setups: all.length,
    languages: new Set(setups.filter(({ id }) => results[id]).map(({ language }) => language)).size,
    doublesPoints: count(doublesPoints),
    neverRepeatsPost: count((found) => !repeatsPost(found)),
    ignoresRetryAfter: count((found) => retryAfterOf(found) === 'ignores'),
    waitsForEver: count(waitsForEver),
    passesAll: count(passesAll),
  };
}

/** Every page with its path. */
export function atlasPages(results: Results): Record<string, string> {
  const present = languages.filter((language) => setupsOf(language, results).length > 0);
  return {
    'docs/retry-atlas.md': overview(results, present),
    ...Object.fromEntries(present.map((language) => [pathOfLanguage(language), languagePage(language, results)])),
  };
}

const fileName = (language: Language): string => `${language.toLowerCase().replace('#', '-sharp')}.md`;
const pathOfLanguage = (language: Language): string => `docs/retry-atlas/${fileName(language)}`;

const setupsOf = (language: Language, results: Results): readonly Setup[] =>
  setups.filter((setup) => setup.language === language && results[setup.id]);

const anchorOf = ({ title }: Setup): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function overview(results: Results, present: readonly Language[]): string {
  const counts = countSetups(results);
  const words = {
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)])),
    cells: String(everyCell.length),
    faults: table(
      ['Fault', 'What the client gets'],
      faults.map(({ title, description }) => [title, description]),
    ),
    longestWait: String(longestWait),
    retryAfter: String(retryAfter),
    setups_: String(counts.setups),
    tables: present.map((language) => summaryOf(language, results)).join('\n\n'),
    disagreements: disagreementsOf(results),
  };
  const template = readFileSync(pathOf('atlas.md'), 'utf8');
  return `${note}\n\n${template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const text = (words as Readonly<Record<string, string>>)[name];
    if (text === undefined) throw new Error(`atlas.md: there is no ${name}`);
    return text;
  })}`;
}

function summaryOf(language: Language, results: Results): string {
  const rows = setupsOf(language, results).map((setup) => {
    const found = results[setup.id];
    if (!found) return [];
    const passed = cellsOf(found, 'byDefault').filter((cell) => cell === '✓').length;
    return [
      `[${setup.title}](retry-atlas/${fileName(language)}#${anchorOf(setup)}) ${found.version}`,
      repeatsPost(found) ? 'yes' : 'never',
      doublesPoints(found) ? '**yes**' : 'no',
      retryAfterOf(found),
      waitsForEver(found) ? 'for ever' : 'gives up',
      String(passed),
    ];
  });
  const names = [
    'Set-up',
    'Repeats a POST',
    'Doubles points',
    'Retry-After',
    'A hang',
    `Passes, of ${everyCell.length}`,
  ];
  return `### ${language}\n\n${table(names, rows)}`;
}

function languagePage(language: Language, results: Results): string {
  const sections = setupsOf(language, results).map((setup) => sectionOf(setup, results[setup.id]));
  const intro = `What HTTP and retry libraries for ${language} do to this service out of the box, and a recipe for each that passes. [The retry atlas](../retry-atlas.md) says how to read it.`;
  return `${note}\n\n# The retry atlas: ${language}\n\n${intro}\n\n${sections.join('\n\n')}\n`;
}

function sectionOf(setup: Setup, found: SetupResults | undefined): string {
  if (!found) return '';
  const source = readFileSync(pathOf(`clients/${setup.file}`), 'utf8');
  const names = ['', ...faults.map(({ title }) => title)];
  const rows = calls.map(({ name, title }) => [
    title,
    ...faults.map((fault) => resultOf(found, 'byDefault', name, fault.name).replaceAll('+', ' ')),
  ]);
  return [
    `## ${setup.title}`,
    `Version ${found.version}. Documented: ${describeDocumented(setup.documented)} (${setup.documented.source}).`,
    table(names, rows),
    recipeOf(setup, source, found),
  ].join('\n\n');
}

function recipeOf({ recipeOf: other, file }: Setup, source: string, found: SetupResults): string {
  if (other !== undefined) {
    const owner = setups.find(({ id }) => id === other);
    return owner ? `Its recipe: see [${owner.title}](#${anchorOf(owner)}).` : '';
  }
  const cells = cellsOf(found, 'recipe');
  const passed = cells.filter((cell) => cell === '✓').length;
  const language = file.split('.').at(-1) ?? '';
  const code = `\`\`\`${language === 'mjs' ? 'js' : language}\n${recipeIn(source)}\n\`\`\``;
  return `<details><summary>A recipe that passes ${passed} of ${cells.length}</summary>\n\n${code}\n\n</details>`;
}

const recipeMark = /^\s*(?:\/\/|#) The recipe\n/m;
const endMark = /^\s*(?:\/\/|#) End of the recipe\n/m;

/** The recipe in a client's file, without what it shares with the default. */
const recipeIn = (source: string): string => source.split(recipeMark)[1]?.split(endMark)[0]?.trim() ?? '';

/** The lines of a recipe that say something. */
export const recipeLines = (source: string): readonly string[] =>
  recipeIn(source)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|#|\/\*\*|\*)/.test(line));

/** Lists cells that differ from what a reviewer expects by the documentation. */
function disagreementsOf(results: Results): string {
  const found = setups.flatMap((setup) => {
    const own = results[setup.id];
    return own ? disagreementLines(setup, own) : [];
  });
  return found.length === 0 ? 'None.' : found.join('\n');
}

function disagreementLines(setup: Setup, found: SetupResults): string[] {
  const groups = new Map<string, Map<FaultColumn, Call[]>>();
  for (const { call, fault } of everyCell) {
    const [expected, cell] = [expectedOf(setup, call, fault), resultOf(found, 'byDefault', call.name, fault.name)];
    if (expected === cell) continue;
    const change = `${code(cell)}, not ${code(expected)}`;
    const places = groups.get(change) ?? new Map<FaultColumn, Call[]>();
    groups.set(change, places.set(fault, [...(places.get(fault) ?? []), call]));
  }
  return [...groups].map(([change, places]) => {
    const listed = [...places].map(([fault, some]) => `${fault.title} (${namesOf(some)})`);
    return `- ${setup.title}: ${change}: ${listed.join(', ')}`;
  });
}

const code = (cell: string): string => `\`${cell.replaceAll('+', ' ')}\``;

function namesOf(some: readonly Call[]): string {
  if (some.length === calls.length) return 'all';
  const writes = calls.filter(({ method }) => method !== 'GET');
  if (some.length === writes.length && writes.every((one) => some.includes(one))) return 'all writes';
  return some.map(({ name }) => name).join(', ');
}
