/**
 * Finds the places of values in a JSON text, which `JSON.parse` does not report. A parser that keeps all positions needs
 * gigabytes for a large fixture; this one walks the text and keeps what is asked for (docs/decisions/0004).
 */
import { errorAt } from '../../core/validation/diagnostic.ts';
import type { Diagnostic, JsonPath } from '../../core/validation/diagnostic.ts';
import { maxMistakes } from '../../core/validation/examined-items.ts';
import { fixtureExtent, maxNestingDepth } from '../../core/validation/extent.ts';
import { finish } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';

export interface TextLocation {
  readonly line: number;
  readonly column: number;
}

/** Reports something wrong with the text itself. */
export interface TextDiagnostic extends Diagnostic {
  readonly offset: number;
}

/** Holds the paths that are looked for, as a tree of keys. */
interface PathNode {
  readonly inner: Map<string | number, PathNode>;
  /** Counts the characters before it: before its key in an object, before itself in a list. */
  offset?: number;
}

interface Walk {
  readonly text: string;
  readonly path: (string | number)[];
  readonly repeated: TextDiagnostic[];
  /** Limits the nesting, and the fields of an object. */
  readonly deepest: number;
  readonly widest: number;
  at: number;
}

const unlimited = { deepest: Number.POSITIVE_INFINITY, widest: Number.POSITIVE_INFINITY };

const space = /[ \t\r\n]*/y;
// The lookahead takes a run of plain characters as a whole: backtracking through an unterminated string would take
// far too long. JSON forbids these control characters in a string.
// oxlint-disable-next-line no-control-regex
const stringToken = /"(?:(?=([^"\\\u0000-\u001f]+))\1|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
const plainToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y;

class StoppedWalk extends Error {
  readonly diagnostic: TextDiagnostic;
  constructor(diagnostic: TextDiagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/**
 * Returns the first error of a text that is not JSON, or holds more than is read of it; or else every key that an object
 * has twice.
 */
export const jsonDiagnostics = (text: string): TextDiagnostic[] => finish(jsonDiagnosticsInSteps(text));

/** Does the same for a text that may be long. */
export function* jsonDiagnosticsInSteps(text: string): Steps<TextDiagnostic[]> {
  const { error, repeated } = yield* walkToError(text);
  return error ? [error] : repeated;
}

/** Returns the first error alone, whatever stands twice. */
export function* jsonErrorInSteps(text: string): Steps<TextDiagnostic | undefined> {
  return (yield* walkToError(text)).error;
}

function* walkToError(text: string): Steps<Pick<Walk, 'repeated'> & { readonly error?: TextDiagnostic }> {
  const walk: Walk = { text, path: [], repeated: [], deepest: maxNestingDepth, widest: fixtureExtent.maxFields, at: 0 };
  try {
    yield* walkDocument(walk, undefined);
    return walk;
  } catch (error) {
    if (error instanceof StoppedWalk) return { ...walk, error: error.diagnostic };
    throw error;
  }
}

/** Returns where the given paths stand in a valid JSON text; for one that is missing, the nearest place around it. */
export const locatePaths = (text: string, paths: readonly JsonPath[]): TextLocation[] =>
  finish(locatePathsInSteps(text, paths));

/** Does the same for a text that may be long. */
export function* locatePathsInSteps(text: string, paths: readonly JsonPath[]): Steps<TextLocation[]> {
  const root: PathNode = { inner: new Map() };
  for (const path of paths) addPath(root, path);
  yield* walkDocument({ text, path: [], repeated: [], ...unlimited, at: 0 }, root);
  const locationOf = locatorOf(text);
  return paths.map((path) => locationOf(nearestOffset(root, path)));
}

/** Returns a function that finds the line and column of an offset, both from 1, however many it is called for. */
export function locatorOf(text: string): (offset: number) => TextLocation {
  let lineStarts: readonly number[] | undefined;
  return (offset) => {
    lineStarts ??= lineStartsOf(text);
    let [line, beyond] = [0, lineStarts.length];
    while (beyond - line > 1) {
      const middle = (line + beyond) >>> 1;
      if ((lineStarts[middle] ?? 0) <= offset) line = middle;
      else beyond = middle;
    }
    return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 };
  };
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

function addPath(root: PathNode, path: JsonPath): void {
  let node = root;
  for (const part of path) {
    const inner: PathNode = node.inner.get(part) ?? { inner: new Map() };
    node.inner.set(part, inner);
    node = inner;
  }
}

function nearestOffset(root: PathNode, path: JsonPath): number {
  let [node, offset]: [PathNode | undefined, number] = [root, root.offset ?? 0];
  for (const part of path) {
    node = node?.inner.get(part);
    offset = node?.offset ?? offset;
  }
  return offset;
}

/** Describes an object or a list that has begun, and has not ended yet. */
interface OpenContainer {
  readonly closing: '}' | ']';
  readonly node: PathNode | undefined;
  /** Holds the names so far; an object alone has them. */
  readonly names: Set<string> | undefined;
  /** Counts the items or fields so far. */
  length: number;
}

const valuesAtOnce = 1000;

/** Walks through a text, and notes where the paths of a tree stand. */
function* walkDocument(walk: Walk, root: PathNode | undefined): Steps {
  skipSpace(walk);
  if (root) root.offset = walk.at;
  const open: OpenContainer[] = [];
  let node = root;
  for (let values = 1; ; values++) {
    if (values % valuesAtOnce === 0) yield;
    const opened = beginValue(walk, node);
    if (opened) open.push(opened);
    const container = moveToNext(walk, open, opened !== undefined);
    if (!container) break;
    node = beginItem(walk, container);
    if (walk.path.length > walk.deepest) throw tooDeep(walk);
  }
  skipSpace(walk);
  if (walk.at < walk.text.length) stopWalk(walk, 'the end of the file');
}

/** Walks through a plain value; of an object or list, through its first bracket, and returns it. */
function beginValue(walk: Walk, node: PathNode | undefined): OpenContainer | undefined {
  const first = walk.text[walk.at];
  if (first === '{' || first === '[') {
    walk.at++;
    const isObject = first === '{';
    return { closing: isObject ? '}' : ']', node, names: isObject ? new Set() : undefined, length: 0 };
  }
  if (read(walk, stringToken) === undefined && read(walk, plainToken) === undefined)
    stopWalk(walk, first === '"' ? 'a text that ends with " on its line, its escapes right' : 'a value');
  walk.path.pop();
  return undefined;
}

/** Moves to the next item of the innermost container, and through the ends of those that have no more; returns it. */
function moveToNext(walk: Walk, open: OpenContainer[], hasBegun: boolean): OpenContainer | undefined {
  let isFirst = hasBegun;
  for (let container = open.at(-1); container; container = open.at(-1)) {
    const { closing } = container;
    skipSpace(walk);
    if (walk.text[walk.at] !== closing) {
      if (isFirst) return container;
      expectSign(walk, ',', `"," or "${closing}"`);
      skipSpace(walk);
      return container;
    }
    walk.at++;
    open.pop();
    walk.path.pop();
    isFirst = false;
  }
  return undefined;
}

/** Begins an item, and walks to its value. Returns what is looked for there. */
function beginItem(walk: Walk, container: OpenContainer): PathNode | undefined {
  const { node, names } = container;
  const offset = walk.at;
  const index = container.length++;
  const key = names ? readName(walk, names) : index;
  if (names && index >= walk.widest) throw tooWide(walk, offset);
  if (!names) walk.path.push(key);
  const inner = node?.inner.get(key);
  if (inner) inner.offset = offset;
  return inner;
}

/** Reads the name of a field and the colon behind it. */
function readName(walk: Walk, names: Set<string>): string {
  const offset = walk.at;
  const token = read(walk, stringToken) ?? stopWalk(walk, 'a name in double quotes');
  const name = String(JSON.parse(token));
  walk.path.push(name);
  if (names.has(name) && walk.repeated.length < maxMistakes)
    walk.repeated.push(diagnosticAt(walk, offset, 'stands twice in the same object'));
  names.add(name);
  skipSpace(walk);
  expectSign(walk, ':');
  skipSpace(walk);
  return name;
}

function read(walk: Walk, token: RegExp): string | undefined {
  token.lastIndex = walk.at;
  const found = token.exec(walk.text)?.[0];
  if (found !== undefined) walk.at += found.length;
  return found;
}

const skipSpace = (walk: Walk): void => void read(walk, space);

function expectSign(walk: Walk, sign: string, expected = `"${sign}"`): void {
  if (walk.text[walk.at] !== sign) stopWalk(walk, expected);
  walk.at++;
}

function stopWalk(walk: Walk, expected: string): never {
  const found = walk.text[walk.at];
  const got = found === undefined ? 'the file ends here' : `got ${JSON.stringify(found)}`;
  throw new StoppedWalk(diagnosticAt(walk, walk.at, `is not valid JSON: expected ${expected}, ${got}`));
}

const tooDeep = (walk: Walk): StoppedWalk => {
  const diagnostic = diagnosticAt(walk, walk.at, `is nested deeper than ${walk.deepest} levels`);
  return new StoppedWalk({ ...diagnostic, path: [] });
};

const tooWide = (walk: Walk, offset: number): StoppedWalk => {
  const message = `is one field more than the ${walk.widest} that an object may have`;
  return new StoppedWalk(diagnosticAt(walk, offset, message));
};

const diagnosticAt = (walk: Walk, offset: number, message: string): TextDiagnostic => ({
  ...errorAt([...walk.path], message),
  offset,
});
