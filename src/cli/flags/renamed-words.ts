import { InputError } from '../../core/lib/input-error.ts';
import { renamedHint } from '../../core/lib/renamed-names.ts';

/** Throws an `InputError` that names the new word when a command line has a command or flag that was renamed. */
export function rejectRenamedWords(args: readonly string[]): void {
  const end = args.indexOf('--');
  const ours = end === -1 ? args : args.slice(0, end);
  const [command = ''] = ours;
  const renamed = renamedHint('command', command);
  if (renamed !== undefined) throw new InputError(`There is no command "${command}"${renamed}`);
  for (const flag of ours.map((arg) => arg.split('=')[0] ?? '')) {
    const hint =
      renamedHint('flag', flag) ?? (command === 'conformance' ? renamedHint('conformanceFlag', flag) : undefined);
    if (hint !== undefined) throw new InputError(`There is no option ${flag}${hint}`);
  }
}
