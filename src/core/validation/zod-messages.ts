/** Says in plain English what a schema expected, where the schema has no message of its own. */
import type * as z from 'zod';

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/** Returns the message for an issue; `safeParse` takes this function as its error map. */
export function zodMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const beginning = issue.input === undefined ? 'is required:' : 'must be';
  switch (issue.code) {
    case 'invalid_type':
      return `${beginning} ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `${beginning} ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'invalid_union':
      return Array.isArray(issue['options']) ? `${beginning} one of ${issue['options'].join(', ')}` : undefined;
    case 'too_small':
      return sizeWords(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return sizeWords(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    default:
      return undefined;
  }
}

function sizeWords(issue: { origin: string; exact?: boolean }, limit: number | bigint, bound: string): string {
  const unit = units[issue.origin];
  if (unit === undefined) return `must be ${bound} ${limit}`;
  return limit === 1 ? 'must not be empty' : `must have ${issue.exact ? 'exactly' : bound} ${limit}${unit}`;
}
