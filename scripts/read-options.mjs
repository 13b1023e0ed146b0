/** Reads the options of a script of this repository, prints them for `--help`, and ends with 2 when one is wrong. */
import { parseArgs } from 'node:util';

/**
 * Takes the options as `parseArgs` does, each with a description, and with the `value` that it takes, as it is called in the
 * help. `operands` says what else may stand there.
 */
export function readOptions({ command, about, options, operands }) {
  const all = { ...options, help: { type: 'boolean', default: false, description: 'prints this' } };
  const help = () => `${[usageOf(command, operands), '', about, '', ...linesOf(all)].join('\n')}\n`;
  try {
    const read = parseArgs({ options: all, allowPositionals: operands !== undefined });
    if (!read.values.help) return read;
  } catch (error) {
    console.error(`${error.message}\n\n${help()}`);
    process.exit(2);
  }
  process.stdout.write(help());
  process.exit(0);
}

const usageOf = (command, operands = '') => `Usage: npm run ${command} -- [options] ${operands}`.trimEnd();

function linesOf(options) {
  const named = Object.entries(options).map(([name, { value, description, default: byDefault }]) => [
    value === undefined ? `--${name}` : `--${name} <${value}>`,
    byDefault ? `${description} (default: ${byDefault})` : description,
  ]);
  const width = Math.max(...named.map(([name]) => name.length));
  return named.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}
