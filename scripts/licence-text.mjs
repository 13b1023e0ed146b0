/** Finds the name and the text of a package's licence: some packages have it in their README alone, and some only name it. */
import { existsSync, readFileSync } from 'node:fs';

const names = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license'];

const warranty = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`,
  ISC: `Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM
LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR
OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
PERFORMANCE OF THIS SOFTWARE.`,
};

/** Returns the name of a package's licence; older packages list theirs. Throws when there is none. */
export function licenceName({ name, license, licenses }) {
  const found = license ?? licenses?.map(({ type }) => type).join(' OR ');
  if (typeof found !== 'string' || found === '') throw new Error(`${name} does not name its licence`);
  return found;
}

/** Returns the text in the package, or that of the licence it names, with its author. Throws when there is neither. */
export function licenceText(path, { name, license, author }) {
  const file = names.find((known) => existsSync(`${path}/${known}`));
  const own = file === undefined ? inReadme(path) : readFileSync(`${path}/${file}`, 'utf8').trim();
  if (own !== '') return own;
  const holder = typeof author === 'object' ? author.name : author?.replace(/ *<.*>/, '');
  if (warranty[license] === undefined || holder === undefined) throw new Error(`${name} has no text of its licence`);
  return `Copyright (c) ${holder}\n\n${warranty[license]}`;
}

function inReadme(path) {
  if (!existsSync(`${path}/README.md`)) return '';
  const [, text = ''] = /^#+ *licen[sc]e\s*$([^#]*)/im.exec(readFileSync(`${path}/README.md`, 'utf8')) ?? [];
  return /permission/i.test(text) ? text.trim() : '';
}
