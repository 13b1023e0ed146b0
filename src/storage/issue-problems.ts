import type * as z from 'zod';
import { pathText, unknownFields } from '../core/fields.ts';
import { isSecret } from '../core/secrets.ts';
import { didYouMean } from '../core/warning.ts';
import type { GatheredSection } from './fixture-parts.ts';
import type { JsonPath } from './json-places.ts';
import type { Problem } from './problems.ts';

/** What a section's schema found wrong, in words and with its place. */
export function issueProblems(section: GatheredSection, issues: readonly z.core.$ZodIssue[]): Problem[] {
  const { of, content } = section;
  const hasUnknown = issues.some(({ code }) => code === 'unrecognized_keys');
  const unknown = new Map((hasUnknown ? unknownFields(of.schema, content) : []).map((field) => [field.path, field]));
  return issues.flatMap((issue): Problem[] => {
    // JSON has no symbols for keys.
    const path = issue.path as JsonPath;
    if (issue.code !== 'unrecognized_keys') {
      return [{ ...section.locate([of.name, ...path]), message: `${issue.message}${shown(content, path)}` }];
    }
    return issue.keys.map((name) => {
      const known = unknown.get(pathText([...path, name]))?.known ?? [];
      const hint = didYouMean(name, known) || (known.length > 0 ? `; there are ${known.join(', ')}` : '');
      return { ...section.locate([of.name, ...path, name]), message: `is not a field here${hint}` };
    });
  });
}

const isPrivate = (name: string): boolean => name === 'socialSecurityNumber' || isSecret(name);

/** `, not "x"`: the value itself, shortened, if it is no personal number and no key. */
export function shown(content: unknown, path: JsonPath): string {
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
