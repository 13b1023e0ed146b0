import type { Flags } from '../../config/config.ts';
import { flagKey, flagName, optionEntries } from '../../config/options.ts';

interface PlainFlag {
  readonly key: string;
  readonly takesValue: boolean;
  readonly isRepeatable: boolean;
}

const plainFlags: ReadonlyMap<string, PlainFlag> = new Map([
  ...optionEntries.map(
    ([name, option]) =>
      [
        flagName(name, option),
        {
          key: flagKey(name, option),
          takesValue: option.argument !== undefined,
          isRepeatable: option.isRepeatable ?? false,
        },
      ] as const,
  ),
  ['--config', { key: 'config', takesValue: true, isRepeatable: false }] as const,
]);

/**
 * Reads the flags of `start` where each is written out and has its value behind it, as commander would, which takes
 * longer to load than all of them take to read. Returns undefined for anything else, such as `--help` or a mistake.
 */
export function readPlainFlags(args: readonly string[]): Flags | undefined {
  const flags: Record<string, string | string[] | true> = {};
  for (let i = 0; i < args.length; i++) {
    const flag = plainFlags.get(args[i] ?? '');
    if (!flag) return undefined;
    if (!flag.takesValue) {
      flags[flag.key] = true;
      continue;
    }
    const value = args[++i];
    if (value === undefined || value.startsWith('-')) return undefined;
    const before = flags[flag.key];
    flags[flag.key] = flag.isRepeatable ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  return flags;
}
