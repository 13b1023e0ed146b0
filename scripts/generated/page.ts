import { readFileSync } from 'node:fs';

const marker = /\{\{([\w-]+)\}\}/g;

/**
 * Returns the page that scripts/generated/{name}.md becomes with each part in its place. Every part has one, and every
 * place a part.
 */
export function page(name: string, sources: string, parts: Readonly<Record<string, string>>): string {
  const template = `scripts/generated/${name}.md`;
  const text = readFileSync(template, 'utf8');
  const places = new Set([...text.matchAll(marker)].map(([, part = '']) => part));
  const astray = [...places].filter((part) => parts[part] === undefined);
  const homeless = Object.keys(parts).filter((part) => !places.has(part));
  if (astray.length > 0) throw new Error(`${template}: there is no ${astray.join(', ')}`);
  if (homeless.length > 0) throw new Error(`${template} has no place for ${homeless.join(', ')}`);
  const note = `<!-- Made by \`npm run generate\` from ${template} and ${sources}. Change those, not this. -->`;
  return `${note}\n\n${text.replaceAll(marker, (_, part: string) => parts[part] ?? '')}`;
}

/** Returns the items of a list, one in each line. */
export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** Begins with a capital, and ends with a full stop. */
export const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`;
