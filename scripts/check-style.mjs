/**
 * Counts what a reader stumbles over, and fails above the limit: comments that are no sentences, names that stand for
 * two things, words that docs/glossary.md replaces, and folders that hold too much.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replacedWords } from './replaced-words.mjs';

const mostFiles = 20;
/** Folders that hold one file for each thing of a kind may grow with the things. */
const oneFileEach = new Set(['src/cli/commands', 'src/faults/kinds']);

const textOf = (path) => readFileSync(path, 'utf8');
/** Returns the files of a folder and all below it, with one of these endings. */
const filesOf = (folder, ...endings) =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((path) => endings.some((ending) => path.endsWith(ending)) && statSync(path).isFile())
    .toSorted();
const lineOf = (text, offset) => text.slice(0, offset).split('\n').length;
// Made of the schemas' own names and descriptions, for users; of it, only the doc comments are checked.
const generated = 'src/control/control-endpoints.ts';
const ownPaths = filesOf('src', '.ts').filter((path) => path !== generated);
const sources = ownPaths.map((path) => ({ path, text: textOf(path) }));

function headlessComments() {
  const helpers = ['test/support', 'scripts', 'proof', 'bench'].flatMap((folder) => filesOf(folder, '.ts', '.mjs'));
  const others = [generated, ...helpers];
  const commented = [...sources, ...others.map((path) => ({ path, text: textOf(path) }))];
  const start =
    /\/\*\*\s*(?:\*\s*)?(?<words>what|whether|how|whose|those|where|why|who|when|time|called|told|(?:the )?number of)\b/gi;
  const found = commented.flatMap(({ path, text }) =>
    [...text.matchAll(start)].map(({ groups, index }) => `${path}:${lineOf(text, index)}: ${groups.words}`),
  );
  return { what: 'doc comments that begin without a verb (What, When, Number of, Called …)', limit: 0, found };
}

function namesForTwoThings() {
  const places = new Map();
  for (const { path, text } of sources) {
    const declared = text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (?<name>[\w$]+)/gm,
    );
    // Overloads of one function, or a type next to its value, are one thing.
    for (const name of new Set([...declared].map(({ groups }) => groups.name))) {
      places.set(name, [...(places.get(name) ?? []), path]);
    }
  }
  const found = [...places]
    .filter(([, { length }]) => length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`);
  return { what: 'exported names declared for different things', limit: 0, found };
}

function wordsThatWereReplaced() {
  const pages = ['README.md', ...filesOf('docs', '.md', '.json'), ...filesOf('scenarios', '.yaml')]
    .filter((path) => path !== 'docs/glossary.md')
    .map((path) => ({ path, text: textOf(path) }));
  // What is printed, reported or sent stands in the source as text.
  const printed = sources.map(({ path, text }) => ({ path, text: onlyTexts(text) }));
  const found = [...pages, ...printed].flatMap(({ path, text }) =>
    replacedWords.flatMap(({ old, now, isProse = true, exceptIn = [], exceptFor = [] }) =>
      (isProse || pages.some((page) => page.path === path)) && !exceptIn.some((folder) => path.startsWith(folder))
        ? [...without(exceptFor, text).matchAll(old)].map(
            ({ 0: word, index }) => `${path}:${lineOf(text, index)}: "${word}" → ${now}`,
          )
        : [],
    ),
  );
  return { what: 'words that the glossary replaces, in help, docs, schemas and reports', limit: 0, found };
}

const without = (phrases, text) => phrases.reduce((rest, phrase) => rest.replaceAll(phrase, blank), text);

const blank = (text) => text.replaceAll(/[^\n]/g, ' ');

/** Matches a comment or a text. */
const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** Returns the comments of a source, each with its place in it. */
const commentsOf = (source) => [...source.matchAll(token)].filter(({ 0: text }) => text.startsWith('/'));

/** Returns a source with everything but its texts blanked, so that lines still count. Code within a text is no text. */
function onlyTexts(source) {
  let out = '';
  let end = 0;
  for (const { 0: text, index } of source.matchAll(token)) {
    const shown = text.startsWith('`')
      ? text.replaceAll(/\$\{(?<code>[^{}]*)\}/g, (_, code) => `  ${onlyTexts(code)} `)
      : text;
    out += blank(source.slice(end, index)) + (text.startsWith('/') ? blank(text) : shown);
    end = index + text.length;
  }
  return out + blank(source.slice(end));
}

function crowdedFolders() {
  const files = new Map();
  for (const { path } of sources) files.set(dirname(path), (files.get(dirname(path)) ?? 0) + 1);
  const found = [...files]
    .filter(([folder, count]) => count > mostFiles && !oneFileEach.has(folder))
    .map(([folder, count]) => `${folder}: ${count}`);
  return { what: `folders of more than ${mostFiles} unlike files`, limit: 0, found };
}

function citationsOfNothing() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  const known = listed.split('\n').filter((path) => existsSync(path));
  const cited = /(?<![\w./<>{}*…-])(?:[\w.-]+\/)*[\w.-]+\.(?:[cm]?[jt]s|md)\b|\bshared\//g;
  // A comment may leave out the first folders: `core/lib/suggest.ts`. What the build makes is in no repository.
  const isKnown = (name) => name.startsWith('dist/') || known.some((path) => `/${path}`.endsWith(`/${name}`));
  const found = known
    .filter((path) => /^(?:bench|proof|scripts|src|test)\/.*\.[cm]?[jt]s$/.test(path) && path !== generated)
    .flatMap((path) => {
      const text = textOf(path);
      return commentsOf(text).flatMap(({ 0: comment, index: start }) =>
        [...comment.matchAll(cited)]
          .filter(({ 0: name }) => !isKnown(name))
          .map(({ 0: name, index }) => `${path}:${lineOf(text, start + index)}: ${name}`),
      );
    });
  return { what: 'comments that cite files that are not in the repository', limit: 0, found };
}

/** Is the last commit before subjects were checked. */
const unchecked = 'e97cc245';

function longSubjects() {
  let log = '';
  try {
    log = execFileSync('git', ['log', '--format=%h %s', `${unchecked}..HEAD`], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    // A shallow clone has not got that commit.
  }
  const found = log.split('\n').filter((line) => {
    const subject = line.slice(line.indexOf(' ') + 1);
    return subject !== '' && (subject.length > 72 || !/^[\w.,/ -]+: \S/.test(subject));
  });
  return { what: 'commits whose subject is above 72 characters or has no scope', limit: 0, found };
}

const counts = [
  headlessComments(),
  namesForTwoThings(),
  wordsThatWereReplaced(),
  crowdedFolders(),
  citationsOfNothing(),
  longSubjects(),
];
for (const { what, limit, found } of counts) {
  console.log(`${found.length} ${what} (at most ${limit})`);
  if (found.length <= limit) continue;
  process.exitCode = 1;
  const most = process.argv.includes('--all') ? Infinity : 25;
  for (const place of found.slice(0, most)) console.error(`  ${place}`);
  if (found.length > most) console.error(`  … and ${found.length - most} more: node scripts/check-style.mjs --all`);
}
