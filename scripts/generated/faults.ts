import { readFileSync } from 'node:fs';
import { faultAliases, faultKinds } from '../../src/faults/fault-kinds.ts';
import { code } from './table.ts';

const path = 'docs/faults.md';

/** Returns a table whose columns stand below each other, as the formatter leaves it. */
function alignedTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[], filler = ' '): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0, filler)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = line(
    head.map(() => ''),
    '-',
  );
  return [line(head), rule, ...body.map((row) => line(row))].join('\n');
}

const plain = (text: string): string => text.replaceAll('’', "'");

const parts: Readonly<Record<string, string>> = {
  aliases: alignedTable([
    ['Name', 'Means'],
    ...[...faultAliases].map(([name, { description }]) => [code(name), plain(description)]),
  ]),
  kinds: alignedTable([
    [code('respond'), 'Sends', 'Example'],
    ...faultKinds.map(({ name, description, example }) => [
      code(name),
      plain(description),
      code(JSON.stringify(example)),
    ]),
  ]),
};

/** Returns docs/faults.md with its generated tables as the kinds of faults are. */
export function faultsPage(): string {
  const text = readFileSync(path, 'utf8');
  return Object.entries(parts).reduce((page, [name, content]) => {
    const [begin, end] = [`<!-- Made by \`npm run generate\`: ${name} -->`, `<!-- until here: ${name} -->`];
    const [before = '', after] = page.split(begin);
    const rest = after?.split(end)[1];
    if (rest === undefined) throw new Error(`${path} has no place for ${name}`);
    return `${before}${begin}\n\n${content}\n\n${end}${rest}`;
  }, text);
}
