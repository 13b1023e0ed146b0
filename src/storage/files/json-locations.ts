/**
 * Finds the places of values in a JSON text, which `JSON.parse` does not report. A parser that keeps all positions needs
 * gigabytes for a large fixture; this one walks the text and keeps what is asked for (docs/decisions/0004).
 */
import { errorAt } from '../../core/validation/diagnostic.ts';
import type { Diagnostic, JsonPath } from '../../core/validation/diagnostic.ts';
import { maxNestingDepth } from '../../core/validation/extent.ts';

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
  /** Limits the nesting. */
  readonly deepest: number;
  at: number;
}

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

/** Returns the first error of a text that is not JSON, or else every key that an object has twice. */
export function jsonDiagnostics(text: string): TextDiagnostic[] {
  const walk: Walk = { text, path: [], repeated: [], deepest: maxNestingDepth, at: 0 };
  try {
    walkDocument(walk, undefined);
    return walk.repeated;
  } catch (error) {
    if (error instanceof StoppedWalk) return [error.diagnostic];
    throw error;
  }
}

/** Returns where the given paths stand in a valid JSON text; for one that is missing, the nearest place around it. */
export function locatePaths(text: string, paths: readonly JsonPath[]): TextLocation[] {
  const root: PathNode = { inner: new Map() };
  for (const path of paths) addPath(root, path);
  walkDocument({ text, path: [], repeated: [], deepest: Number.POSITIVE_INFINITY, at: 0 }, root);
  return paths.map((path) => locationAt(text, nearestOffset(root, path)));
}

/** Returns the line and column, both from 1, of an offset in a text. */
export function locationAt(text: string, offset: number): TextLocation {
  let [line, lineStart] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = end + 1;
  }
  return { line, column: offset - lineStart + 1 };
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

function walkDocument(walk: Walk, node: PathNode | undefined): void {
  skipSpace(walk);
  if (node) node.offset = walk.at;
  walkValue(walk, node);
  skipSpace(walk);
  if (walk.at < walk.text.length) stopWalk(walk, 'the end of the file');
}

function walkValue(walk: Walk, node: PathNode | undefined): void {
  const first = walk.text[walk.at];
  if (first === '{') walkObject(walk, node);
  else if (first === '[') walkList(walk, node);
  else if (read(walk, stringToken) === undefined && read(walk, plainToken) === undefined) {
    stopWalk(walk, first === '"' ? 'a text that ends with " on its line, its escapes right' : 'a value');
  }
}

function walkObject(walk: Walk, node: PathNode | undefined): void {
  const names = new Set<string>();
  walkItems(walk, '}', () => {
    const keyAt = walk.at;
    const token = read(walk, stringToken) ?? stopWalk(walk, 'a name in double quotes');
    const name = String(JSON.parse(token));
    walk.path.push(name);
    if (names.has(name)) walk.repeated.push(diagnosticAt(walk, keyAt, 'stands twice in the same object'));
    names.add(name);
    skipSpace(walk);
    expectSign(walk, ':');
    skipSpace(walk);
    walkInner(walk, node?.inner.get(name), keyAt);
    walk.path.pop();
  });
}

function walkList(walk: Walk, node: PathNode | undefined): void {
  let index = 0;
  walkItems(walk, ']', () => {
    walk.path.push(index);
    walkInner(walk, node?.inner.get(index), walk.at);
    walk.path.pop();
    index++;
  });
}

function walkInner(walk: Walk, node: PathNode | undefined, offset: number): void {
  if (node) node.offset = offset;
  if (walk.path.length > walk.deepest) throw tooDeep(walk);
  walkValue(walk, node);
}

/** Walks the items between two brackets, separated by commas. */
function walkItems(walk: Walk, closing: '}' | ']', walkItem: () => void): void {
  walk.at++;
  skipSpace(walk);
  if (walk.text[walk.at] === closing) {
    walk.at++;
    return;
  }
  for (;;) {
    walkItem();
    skipSpace(walk);
    if (walk.text[walk.at] === closing) break;
    expectSign(walk, ',', `"," or "${closing}"`);
    skipSpace(walk);
  }
  walk.at++;
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

const diagnosticAt = (walk: Walk, offset: number, message: string): TextDiagnostic => ({
  ...errorAt([...walk.path], message),
  offset,
});
