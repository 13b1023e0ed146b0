/** Writes large values as JSON in steps: V8 writes a value of some MB in one go, however many others wait. */
import { forEachInSteps } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';

/** Writes a list, or an object whose fields may be lists, as `JSON.stringify` does; each item in one go. */
export function* jsonInSteps(value: object): Steps<string> {
  if (Array.isArray(value)) return yield* listInSteps(value);
  const fields: string[] = [];
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    const text = Array.isArray(inner) ? yield* listInSteps(inner) : JSON.stringify(inner);
    if (text !== undefined) fields.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${fields.join(',')}}`;
}

function* listInSteps(items: readonly unknown[]): Steps<string> {
  const texts: string[] = [];
  yield* forEachInSteps(items, (item) => void texts.push(JSON.stringify(item) ?? 'null'));
  return `[${texts.join(',')}]`;
}
