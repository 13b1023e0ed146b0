/** Splits YAML into the tokens of the library, nested as they are in the text. */
import { Lexer, Parser } from 'yaml';
import type { CST } from 'yaml';
import { Portion } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { controlExtent, maxNestingDepth } from '../../core/validation/extent.ts';

export type YamlTokens = readonly CST.Token[];

/** Does as `parse` of the library's parser. */
export function* tokenizeYaml(text: string): Steps<YamlTokens> {
  const tokens: CST.Token[] = [];
  const portion = new Portion();
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (portion.isFullWith(lexeme.length)) yield;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** Limits a text of a file, in characters: the library takes long to read a longer one. */
const maxTextLength = 250_000;

interface Excess {
  readonly offset: number;
  /** Says what is too much, for the end of a sentence. */
  readonly message: string;
}

/** Returns the first thing that a file holds too much of, and that would take long to be read; walks without recursion. */
export function* findTooMuch(tokens: YamlTokens): Steps<Excess | undefined> {
  const portion = new Portion();
  const pending = tokens.map((token) => ({ token, depth: 0 })).toReversed();
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { token, depth } = next;
    const message = excessOf(token, depth);
    if (message !== undefined) return { offset: token.offset, message };
    if (token.type === 'document' && token.value) pending.push({ token: token.value, depth });
    for (const { key, value } of 'items' in token ? token.items.toReversed() : []) {
      if (value) pending.push({ token: value, depth: depth + 1 });
      if (key) pending.push({ token: key, depth: depth + 1 });
    }
    if (portion.isFullWith(0)) yield;
  }
  return undefined;
}

/** True for more fields than so many: what stands behind the last one, such as a comment, is an item without a field. */
const hasMoreFields = (items: readonly { readonly key?: unknown; readonly value?: unknown }[], most: number): boolean =>
  items.length > most && items.filter(({ key, value }) => key || value).length > most;

function excessOf(token: CST.Token, depth: number): string | undefined {
  const { maxFields } = controlExtent;
  if (depth > maxNestingDepth) return `is nested deeper than ${maxNestingDepth} levels`;
  const isObject = token.type === 'block-map' || (token.type === 'flow-collection' && token.start.source === '{');
  if (isObject && hasMoreFields(token.items, maxFields)) return `has an object with more than ${maxFields} fields`;
  const length = token.type.endsWith('scalar') && 'source' in token ? token.source.length : 0;
  return length > maxTextLength ? `holds a text of more than ${maxTextLength} characters` : undefined;
}
