/** Names the type of a value that was sent where another type was expected: `"100"` looks like a number to its author. */
import type * as z from 'zod';

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const valueAt = (sent: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? Object.getOwnPropertyDescriptor(inner, part)?.value : undefined,
    sent,
  );

/** Returns `, not a text`, or nothing when the type is not what is wrong. */
export function typeMismatch(issue: z.core.$ZodIssue, sent: unknown): string {
  if (issue.code !== 'invalid_type') return '';
  const value = valueAt(sent, issue.path);
  // A number that is not whole, or not finite.
  const isThatKind = typeof value === 'number' && ['int', 'number'].includes(issue.expected);
  return value === undefined || isThatKind ? '' : `, not ${kindOf(value)}`;
}
