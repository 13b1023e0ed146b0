import type * as z from 'zod';
import { formatPath, unknownFields } from '../../core/validation/unknown-fields.ts';
import { isSecretName } from '../../core/exchange/redaction.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import type { MergedSection } from '../fixtures/merge-sections.ts';
import type { JsonPath } from './json-locations.ts';
import type { FileDiagnostic } from './file-diagnostics.ts';

/** What a section's schema found wrong, in words and with its place. */
export function zodDiagnostics(section: MergedSection, issues: readonly z.core.$ZodIssue[]): FileDiagnostic[] {
  const { of, content } = section;
  const hasUnknown = issues.some(({ code }) => code === 'unrecognized_keys');
  const unknown = new Map((hasUnknown ? unknownFields(of.schema, content) : []).map((field) => [field.path, field]));
  return issues.flatMap((issue): FileDiagnostic[] => {
    // JSON has no symbols for keys.
    const path = issue.path as JsonPath;
    if (issue.code !== 'unrecognized_keys') {
      return [
        { ...section.locate([of.name, ...path]), message: `${issue.message}${formatReceivedValue(content, path)}` },
      ];
    }
    return issue.keys.map((name) => {
      const known = unknown.get(formatPath([...path, name]))?.known ?? [];
      const hint = didYouMean(name, known) || (known.length > 0 ? `; there are ${known.join(', ')}` : '');
      return { ...section.locate([of.name, ...path, name]), message: `is not a field here${hint}` };
    });
  });
}

const isPrivate = (name: string): boolean => name === 'socialSecurityNumber' || isSecretName(name);

/** `, not "x"`: the value itself, shortened, if it is no personal number and no key. */
export function formatReceivedValue(content: unknown, path: JsonPath): string {
  const value = path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part)
        ? Object.getOwnPropertyDescriptor(inner, part)?.value
        : undefined,
    content,
  );
  if (value === undefined || typeof value === 'object' || isPrivate(String(path.at(-1)))) return '';
  const text = JSON.stringify(value);
  return `, not ${text.length > 60 ? `${text.slice(0, 57)}…"` : text}`;
}
