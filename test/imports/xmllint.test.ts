import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
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

it.skipIf(!has('xmllint'))('agrees with xmllint on which of 1,000 files are well-formed', async () => {
  const folder = folderWith();
  mkdirSync(join(folder, 'files'));
  const differing: string[] = [];
  const counts = { good: 0, bad: 0, own: 0 };
  for (let n = 0; n < 1000; n++) {
    const path = join(folder, 'files', `${n}.xml`);
    writeFileSync(path, brokenFile(n));
    const ours = await readTransactions(path, () => {}).then(
      () => 'good',
      (error: unknown) => (error instanceof FileRefusal ? error.code : String(error)),
    );
    if (ownRules.has(ours)) {
      counts.own++;
      continue;
    }
    const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', path], { encoding: 'utf8' });
    // An undeclared prefix is an error of namespaces, for which xmllint's status stays 0.
    const theirs = status === 0 && !/namespace error/.test(stderr) ? 'good' : 'bad';
    counts[theirs]++;
    if ((ours === 'good' ? 'good' : 'bad') !== theirs)
      differing.push(`${n}: ${ours}, ${theirs}: ${stderr.slice(0, 300)}`);
  }
  expect(differing).toEqual([]);
  expect(Math.min(counts.good, counts.bad)).toBeGreaterThan(150);
});
