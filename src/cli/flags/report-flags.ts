/** Parses `--report text` and `--report junit=out.xml`. */
import { InputError } from '../../core/lib/input-error.ts';
import { didYouMean } from '../../core/lib/suggest.ts';

export interface ReportTarget<Form extends string> {
  readonly form: Form;
  /** Names a file (default: standard output). */
  readonly file: string | undefined;
}

/** Parses the flags. Throws `InputError` for an unknown form, and when two would go to standard output. */
export function parseReportFlags<const Form extends string>(
  given: readonly string[],
  forms: readonly Form[],
): readonly ReportTarget<Form>[] {
  const reports = given.map((text) => {
    const [name = '', ...rest] = text.split('=');
    const form = forms.find((known) => known === name);
    if (form === undefined) {
      throw new InputError(
        `--report: must be ${forms.join(', ')}, or one of them with a file such as ${forms.at(-1)}=report.xml, not "${text}"${didYouMean(name, forms)}`,
      );
    }
    if (rest.length > 0 && rest.join('=') === '') throw new InputError(`--report: name the file after ${name}=`);
    return { form, file: rest.length > 0 ? rest.join('=') : undefined };
  });
  const printed = reports.filter(({ file }) => file === undefined).map(({ form }) => form);
  if (printed.length <= 1) return reports;
  throw new InputError(
    `--report: ${printed.join(' and ')} would both go to standard output; name files, such as ${printed.at(-1)}=report`,
  );
}

/** Returns the files that reports go to. */
export const reportFiles = (reports: readonly ReportTarget<string>[]): string[] =>
  reports.flatMap(({ file }) => file ?? []);
