/** Reads the JSON of a body, and says where one is broken. */
import { isTooDeeplyNested, maxNestingDepth } from '../../core/validation/unknown-fields.ts';
import { apiError } from '../../service/errors/catalog.ts';

/** The value that a text holds. Throws the refusal given, or `InvalidJson`. */
export function readJsonBody(text: string, unreadable: 'NoData' | undefined): unknown {
  const json = parseJson(text, unreadable);
  if (!isTooDeeplyNested(json)) return json;
  throw apiError(unreadable ?? 'InvalidJson', { message: `The body is nested deeper than ${maxNestingDepth} levels.` });
}

function parseJson(text: string, unreadable: 'NoData' | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw apiError(unreadable ?? 'InvalidJson', { message: `The body is not valid JSON: ${locate(message, text)}.` });
  }
}

/** V8 counts characters from the start, and of a short text not even those; people count lines and columns. */
function locate(message: string, text: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined && !message.startsWith('Unexpected end'))
    return message.replace(/ is not valid JSON$/, '');
  const before = text.slice(0, position === undefined ? text.length : Number(position));
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return `${message.replace(/ in JSON at position.*$/, '').replace(/ at position.*$/, '')}, line ${line} column ${column}`;
}
