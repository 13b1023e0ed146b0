/** Parses YAML, of which JSON is a part, into data, locations and diagnostics. */
import { isMap, isScalar, isSeq } from 'yaml';
import type { Document, Node, YAMLError } from 'yaml';
import { forEachInSteps, sortInSteps } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { errorAt } from '../../core/validation/diagnostic.ts';
import type { JsonPath } from '../../core/validation/diagnostic.ts';
import type { TextDiagnostic } from './json-locations.ts';
import { aliasesIn, checkAliases, expandTooFar } from './yaml-aliases.ts';
import type { UsedAlias } from './yaml-aliases.ts';
import { composeInSteps } from './yaml-composer.ts';
import { offsetIn, pathTo, placesIn, nodeOffset } from './yaml-places.ts';
import type { Place } from './yaml-places.ts';
import type { YamlTokens } from './yaml-tokens.ts';

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

/** Composes a document. `tokens` must not be nested too deeply: composing recurses into each level. */
export function* parseYaml(text: string, tokens: YamlTokens): Steps<ParsedText> {
  const directive = tokens.find(({ type }) => type === 'directive');
  if (directive)
    return unparsableText(directive.offset, 'directives such as %YAML are not read here; leave the line out');
  const [, second] = tokens.filter(({ type }) => type === 'document');
  if (second) return unparsableText(second.offset, 'a second document begins here; keep one to a file');
  const { document, problems } = yield* composeInSteps(tokens, text.length);
  if (problems.length > 0) return { ...unparsableText(0, ''), diagnostics: yield* firstPerLine(text, problems) };
  return yield* readDocument(document);
}

function* readDocument({ contents }: Document.Parsed): Steps<ParsedText> {
  const places = yield* placesIn(contents);
  const aliases = yield* aliasesIn(places);
  const targets = new Map(aliases.map(({ place, target }) => [place.node, target?.node]));
  const offsetOf = (path: JsonPath): number => offsetIn(contents, (alias) => targets.get(alias), path);
  const diagnostics = [...checkAliases(aliases), ...(yield* findAmbiguities(places))];
  if (diagnostics.length > 0) return { data: undefined, offsetOf, diagnostics };
  if (yield* expandTooFar(aliases))
    return unparsableText(0, 'its aliases (*name) stand for too much; write out what they mean');
  return { data: yield* dataOf(places, aliases), offsetOf, diagnostics };
}

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

/** Describes the first problem of each line: one typo leads to several, and the first says most. */
function* firstPerLine(text: string, problems: readonly YAMLError[]): Steps<TextDiagnostic[]> {
  const sorted = yield* sortInSteps(problems, (a, b) => a.pos[0] - b.pos[0]);
  const firsts: TextDiagnostic[] = [];
  let lineEnd = -1;
  yield* forEachInSteps(sorted, (problem) => {
    const [offset] = problem.pos;
    if (offset <= lineEnd) return;
    firsts.push(toTextError(problem));
    const end = text.indexOf('\n', offset);
    lineEnd = end < 0 ? Number.POSITIVE_INFINITY : end;
  });
  return firsts;
}

/** Finds what YAML allows and a person is unlikely to mean. */
function* findAmbiguities(places: readonly Place[]): Steps<TextDiagnostic[]> {
  const found: TextDiagnostic[] = [];
  const namesOf = new Map<Place | undefined, Set<unknown>>();
  yield* forEachInSteps(places, (place) => {
    const message = place.isName ? findAmbiguousName(place, namesOf) : findRounding(place);
    if (message !== undefined) found.push({ ...errorAt(pathTo(place), message), offset: nodeOffset(place.node) });
  });
  return found;
}

function findAmbiguousName(
  { at: name, outer }: Place,
  namesOf: Map<Place | undefined, Set<unknown>>,
): string | undefined {
  const names = namesOf.get(outer) ?? new Set();
  const message = names.has(name) ? 'stands twice in the same object' : forbidden.get(name);
  namesOf.set(outer, names.add(name));
  return message;
}

const forbidden = new Map<unknown, string>([
  ['<<', 'merging by << is not done here; write out the fields'],
  ['__proto__', "can't be the name of a field"],
]);

function findRounding({ node }: Place): string | undefined {
  if (!isScalar(node) || typeof node.value !== 'number' || !isRounded(node.source, node.value)) return undefined;
  return `would be read as ${node.value}; put it in quotes to have it stands`;
}

/** True when a number loses leading zeros or digits beyond the sixteenth. */
const isRounded = (source = '', value: number): boolean =>
  /^[-+]?0\d/.test(source) || (/^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value));

/** Returns the value of a document: as the library makes it, and an alias is the same value as its target. */
function* dataOf(places: readonly Place[], aliases: readonly UsedAlias[]): Steps<unknown> {
  const targets = new Map(aliases.map(({ place, target }) => [place, target]));
  const values = new Map<Place | undefined, unknown>();
  yield* forEachInSteps(places, (place) => {
    const { node, outer, at, isName } = place;
    const value = targets.has(place) ? values.get(targets.get(place)) : valueOf(node);
    values.set(place, value);
    if (isName || at === undefined) return;
    // It is a list or an object, which comes before what it holds.
    const holder = values.get(outer) as Record<string | number, unknown>;
    holder[at] = value;
  });
  return values.get(places[0]);
}

function valueOf(node: Node | null): unknown {
  if (isSeq(node)) return [];
  if (isMap(node)) return {};
  return isScalar(node) ? node.value : null;
}
