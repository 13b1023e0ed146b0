import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/lib/random.ts';
import { FileRefusal, readTransactions } from '../../src/imports/transactions-file.ts';
import { folderWith } from '../support/folders.ts';
import { transactionsXml } from '../support/receipt-files.ts';

const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

const fragments = [
  '<',
  '>',
  '&',
  '&amp;',
  '&lt;',
  '&#65;',
  '&#x41;',
  '&#0;',
  '&nbsp;',
  ']]>',
  '<!--',
  '-->',
  '<!-- a -- b -->',
  '<![CDATA[',
  '<![CDATA[x]]>',
  '<?pi x?>',
  '<?xml version="1.0"?>',
  '"',
  "'",
  '=',
  '/',
  '<a>',
  '</a>',
  '<a/>',
  '<a b="1" b="2"/>',
  '<a b=1/>',
  '<a b="<"/>',
  '<1a/>',
  '<ns:a/>',
  '<a xmlns:n="u"><n:b/></a>',
  '\u0001',
  '\uFFFE',
  '\uFFFF',
  '\u00e5',
  '\u{1F6D2}',
  '</transactions>',
  '<transactions>',
  '</transaction>',
  '\r\n',
  '\t',
  ' ',
];

/** A file of receipts with up to four mistakes. */
function brokenFile(n: number): string {
  let draws = 0;
  const draw = (below: number): number => Math.floor(seededRandom(7, `${n}/${draws++}`) * below);
  let text = transactionsXml({ id: `r-${n}` }, { id: `s-${n}` });
  for (let i = draw(5); i > 0; i--) {
    const at = draw(text.length);
    const fragment = fragments[draw(fragments.length)] ?? '';
    text = text.slice(0, at) + fragment + text.slice(at + (draw(2) === 0 ? 0 : draw(12)));
  }
  return draw(20) === 0 ? text.slice(0, draw(text.length)) : text;
}

/** Rules of ours that have nothing to do with well-formedness. */
const ownRules = new Set(['wrong-root', 'doctype', 'too-large']);

/** Returns the first error of each file that is not well-formed. One process reads them all: a thousand take a minute. */
function errorsOfXmllint(paths: readonly string[]): Map<string, string> {
  const { stderr } = spawnSync('xmllint', ['--noout', '--nonet', ...paths], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const errors = new Map<string, string>();
  for (const [line, path = ''] of stderr.matchAll(/^(\/.*?\.xml):\d+: \w+ error .*$/gm))
    if (!errors.has(path)) errors.set(path, line);
  return errors;
}

describe('the XML reader', () => {
  it.skipIf(!has('xmllint'))('agrees with xmllint on which of 1,000 files are well-formed', async () => {
    const folder = folderWith();
    mkdirSync(join(folder, 'files'));
    const ours = new Map<string, string>();
    for (let n = 0; n < 1000; n++) {
      const path = join(folder, 'files', `${n}.xml`);
      writeFileSync(path, brokenFile(n));
      const judged = await readTransactions(path, () => {}).then(
        () => 'good',
        (error: unknown) => (error instanceof FileRefusal ? error.code : String(error)),
      );
      if (!ownRules.has(judged)) ours.set(path, judged);
    }
    const theirs = errorsOfXmllint([...ours.keys()]);
    const differing = [...ours]
      .filter(([path, judged]) => (judged === 'good') === theirs.has(path))
      .map(([path, judged]) => `${path}: ${judged}, ${theirs.get(path)}`);
    expect(differing).toEqual([]);
    expect(Math.min(theirs.size, ours.size - theirs.size)).toBeGreaterThan(150);
  });
});
