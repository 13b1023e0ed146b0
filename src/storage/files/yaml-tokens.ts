/** Splits YAML into the tokens of the library, nested as they are in the text. */
import { Lexer, Parser } from 'yaml';
import type { CST } from 'yaml';
import { Portion } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { maxNestingDepth } from '../../core/validation/extent.ts';

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

/** Returns the first offset that is nested too deeply; walks without recursion. */
export function* findTooDeep(tokens: YamlTokens): Steps<number | undefined> {
  const portion = new Portion();
  const pending = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { token, depth } = next;
    if (depth > maxNestingDepth) return token.offset;
    if (token.type === 'document' && token.value) pending.push({ token: token.value, depth });
    for (const { key, value } of 'items' in token ? token.items : []) {
      if (key) pending.push({ token: key, depth: depth + 1 });
      if (value) pending.push({ token: value, depth: depth + 1 });
    }
    if (portion.isFullWith(0)) yield;
  }
  return undefined;
}
