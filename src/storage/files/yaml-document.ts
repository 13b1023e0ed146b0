/** Parses YAML, of which JSON is a part, into data, locations and diagnostics. */
import { Composer, isAlias, isCollection, isMap, isPair, isScalar, Parser, visit } from 'yaml';
import type { CST, Document, Node, Pair, YAMLError } from 'yaml';
import { maxNestingDepth } from '../../core/validation/extent.ts';
import { errorAt } from '../../core/validation/diagnostic.ts';
import type { JsonPath } from '../../core/validation/diagnostic.ts';
import type { TextDiagnostic } from './json-locations.ts';

export interface ParsedText {
  readonly data: unknown;
  /** Returns where a value stands; for one that is missing, the nearest place around it. */
  readonly offsetOf: (path: JsonPath) => number;
  /** Holds what is wrong with the text itself; `data` is undefined then. */
  readonly diagnostics: readonly TextDiagnostic[];
}

/** Returns the result for a text that can't be parsed, with the reason. */
export const unparsableText = (offset: number, message: string): ParsedText => ({
  data: undefined,
  offsetOf: () => offset,
  diagnostics: [{ ...errorAt([], message), offset }],
});

/** Limits aliases of aliases, which can expand to any number of values. */
const maxExpansion = 100;

/** Limits the aliases of a file: the library looks for the anchor of each among all of them. */
const maxAliases = 1000;

const composing = {
  // findAmbiguities reports repeated keys, in time that grows with their number only.
  uniqueKeys: false,
  stringKeys: true,
  resolveKnownTags: false,
  logLevel: 'error',
} as const;

export type YamlTokens = readonly CST.Token[];

export const tokenizeYaml = (text: string): YamlTokens => [...new Parser().parse(text)];

/** Composes a document. `tokens` must not be nested too deeply: composing recurses into each level. */
export function parseYaml(text: string, tokens: YamlTokens): ParsedText {
  const directive = tokens.find(({ type }) => type === 'directive');
  if (directive)
    return unparsableText(directive.offset, 'directives such as %YAML are not read here; leave the line out');
  const [document, second] = [...new Composer(composing).compose(tokens, true, text.length)];
  if (!document) return unparsableText(0, 'holds nothing');
  if (second) return unparsableText(second.range[0], 'a second document begins here; keep one to a file');
  const diagnostics = [...document.errors, ...document.warnings].map(toTextError);
  if (diagnostics.length > 0) return { ...unparsableText(0, ''), diagnostics: firstPerLine(text, diagnostics) };
  return readDocument(document);
}

function readDocument(document: Document.Parsed): ParsedText {
  const targets = aliasTargets(document);
  const offsetOf = (path: JsonPath): number => offsetIn(document, targets, path);
  const diagnostics = [...checkAliases(document, targets), ...findAmbiguities(document)];
  if (diagnostics.length > 0) return { data: undefined, offsetOf, diagnostics };
  try {
    return { data: document.toJS({ maxAliasCount: maxExpansion }), offsetOf, diagnostics };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return unparsableText(0, 'its aliases (*name) stand for too much; write out what they mean');
  }
}

/** Returns the first offset that is nested too deeply; walks without recursion. */
export function findTooDeep(tokens: YamlTokens): number | undefined {
  const pending = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { token, depth } = next;
    if (depth > maxNestingDepth) return token.offset;
    if (token.type === 'document' && token.value) pending.push({ token: token.value, depth });
    for (const inner of childrenOf(token)) pending.push({ token: inner, depth: depth + 1 });
  }
  return undefined;
}

const childrenOf = (token: CST.Token): CST.Token[] =>
  'items' in token ? token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat()) : [];

/** Maps the parser's codes to words for whoever wrote the file. */
const messages: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  BAD_INDENT: 'the indentation does not fit, or a bracket is not closed',
  BLOCK_AS_IMPLICIT_KEY: 'there is a second ": " in the line; put a text with a colon in it in quotes',
  MISSING_CHAR: 'something is missing before this: a "- ", a ":", a closing quote, or the indentation is wrong',
  MULTILINE_IMPLICIT_KEY: 'a name must stand on one line with a ":" behind it',
  NON_STRING_KEY: 'a name must be a text',
  TAB_AS_INDENT: 'a tab; indent with spaces',
  TAG_RESOLVE_FAILED: 'tags such as !name are not known here; leave it out',
  UNEXPECTED_TOKEN: "this can't stand here; put a text with any of {}[],&*#|>!%@` in it in quotes",
  BAD_SCALAR_START: "a text can't begin with this sign; put it in quotes",
};

function toTextError({ code, message, pos: [offset] }: YAMLError): TextDiagnostic {
  return { ...errorAt([], `is not valid YAML: ${messages[code] ?? message}`), offset };
}

/** Keeps the first diagnostic of each line: one typo leads to several, and the first says most. */
function firstPerLine(text: string, diagnostics: readonly TextDiagnostic[]): TextDiagnostic[] {
  const lineAt = (offset: number): number => text.lastIndexOf('\n', offset - 1);
  const sorted = diagnostics.toSorted((a, b) => a.offset - b.offset);
  return sorted.filter(({ offset }, i) => i === 0 || lineAt(offset) !== lineAt(sorted[i - 1]?.offset ?? 0));
}

/** Maps each alias to the value that it stands for: the last one before it with its anchor. */
type AliasTargets = ReadonlyMap<unknown, Node | undefined>;

function aliasTargets(document: Document.Parsed): AliasTargets {
  const anchored = new Map<string, Node>();
  const targets = new Map<unknown, Node | undefined>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) targets.set(node, anchored.get(node.source));
      else if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

/** Finds aliases without an anchor, aliases of a value that they are part of, and the first of too many. */
function checkAliases(document: Document.Parsed, targets: AliasTargets): TextDiagnostic[] {
  const [surplus] = [...targets.keys()].slice(maxAliases);
  if (surplus !== undefined) {
    const message = `is alias number ${maxAliases + 1}, of at most ${maxAliases} in a file; write out what they mean`;
    return [{ ...errorAt([], message), offset: startOf(surplus) }];
  }
  const found: TextDiagnostic[] = [];
  visit(document, {
    Alias(_, alias, ancestors) {
      const target = targets.get(alias);
      if (target && !ancestors.includes(target)) return;
      const why = target
        ? 'stands for what it is a part of'
        : `stands for nothing: there is no &${alias.source} before it`;
      found.push({ ...errorAt([], `*${alias.source} ${why}`), offset: startOf(alias) });
    },
  });
  return found;
}

/** Finds what YAML allows and a person is unlikely to mean. */
function findAmbiguities(document: Document.Parsed): TextDiagnostic[] {
  const found: TextDiagnostic[] = [];
  visit(document, {
    Map(_, map, ancestors) {
      const path = pathOf(ancestors, map);
      const names = new Set<string>();
      for (const { key } of map.items) {
        const name = keyName(key);
        const message = names.has(name) ? 'stands twice in the same object' : forbidden.get(name);
        if (message !== undefined) found.push({ ...errorAt([...path, name], message), offset: startOf(key) });
        names.add(name);
      }
    },
    Scalar(key, scalar, ancestors) {
      if (key === 'key' || typeof scalar.value !== 'number' || !isRounded(scalar.source, scalar.value)) return;
      const message = `would be read as ${scalar.value}; put it in quotes to have it stands`;
      found.push({ ...errorAt(pathOf(ancestors, scalar), message), offset: startOf(scalar) });
    },
  });
  return found;
}

const forbidden = new Map([
  ['<<', 'merging by << is not done here; write out the fields'],
  ['__proto__', "can't be the name of a field"],
]);

/** True when a number loses leading zeros or digits beyond the sixteenth. */
const isRounded = (source = '', value: number): boolean =>
  /^[-+]?0\d/.test(source) || (/^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value));

const keyName = (key: unknown): string => (isScalar(key) ? String(key.value) : '');

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

const isNode = (node: unknown): node is Node => isScalar(node) || isCollection(node) || isAlias(node);

/** Returns the names and indexes that lead to a node. */
function pathOf(ancestors: readonly unknown[], node: unknown): JsonPath {
  return ancestors.flatMap((parent, i): JsonPath => {
    if (isPair(parent)) return [keyName(parent.key)];
    const inner = ancestors[i + 1] ?? node;
    return isCollection(parent) && !isMap(parent) ? [parent.items.indexOf(inner)] : [];
  });
}

function offsetIn(document: Document.Parsed, targets: AliasTargets, path: JsonPath): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const part of path) {
    const inside = isAlias(node) ? targets.get(node) : node;
    if (!isCollection(inside)) break;
    const item = isMap(inside)
      ? inside.items.find(({ key }) => keyName(key) === String(part))
      : inside.items[Number(part)];
    if (item === undefined) break;
    // An item of an object starts at its key.
    offset = startOf(isPair(item) ? (item as Pair).key : item) || offset;
    node = isPair(item) ? item.value : item;
  }
  return offset;
}
