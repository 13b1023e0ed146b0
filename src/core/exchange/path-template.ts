/**
 * Reads path templates, the one notation for paths of endpoints, rules, expectations and filters: `{name}` stands for
 * one part, `*` for any text, slashes included: `/api/v3/contacts/{contactId}`, `/api/v3/*`.
 */

/** Returns the same for a template of an endpoint, of which there are so many and no more: each is compiled once. */
export function endpointPathTest(template: string): (path: string) => boolean {
  const known = endpointPathTests.get(template);
  if (known) return known;
  const compiled = compilePathTemplate(template);
  endpointPathTests.set(template, compiled);
  return compiled;
}

const endpointPathTests = new Map<string, (path: string) => boolean>();

/** Returns a test of whether a path matches a template. */
export function compilePathTemplate(template: string): (path: string) => boolean {
  const [start = '', ...others] = template.split(/\*+/).map((piece) => patternSource(piece, '[^/]+?'));
  const end = others.pop();
  // Each text between two stars is taken where it first occurs, for good: trying all the others would take
  // longer than anybody waits.
  const between = others.map((source, i) => `(?=(.*?${source}))\\${i + 1}`).join('');
  const expression = new RegExp(`^${start}${end === undefined ? '' : `${between}.*${end}`}$`, 's');
  return (path) => expression.test(path);
}

const parameter = /^\{(\w*)\}$/;

/** Returns the source of a pattern for a text without stars; braces around a whole part stand for any. */
const patternSource = (piece: string, anyPart: string): string =>
  piece
    .split(/(?<=^|\/)(\{\w*\})(?=\/|$)/)
    .map((text) => (parameter.test(text) ? anyPart : text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)))
    .join('');

/** Returns the names of a template's parameters in their order. */
export const pathParameterNames = (template: string): string[] =>
  template.split('/').flatMap((part) => parameter.exec(part)?.[1] ?? []);

/** Returns a template with a value in the place of each parameter, escaped: `/contacts/{contactId}` as `/contacts/7`. */
export const fillPathTemplate = (template: string, valueOf: (name: string) => string): string =>
  template
    .split('/')
    .map((part) => {
      const name = parameter.exec(part)?.[1];
      return name === undefined ? part : encodeURIComponent(valueOf(name));
    })
    .join('/');

interface CompiledRoute {
  readonly expression: RegExp;
  readonly names: readonly string[];
}

/** Holds the templates of endpoints, of which there are so many and no more. */
const compiledRoutes = new Map<string, CompiledRoute>();

function compiledRoute(template: string): CompiledRoute {
  const known = compiledRoutes.get(template);
  if (known) return known;
  const expression = new RegExp(`^${patternSource(template, '([^/]+)')}$`);
  const compiled = { expression, names: pathParameterNames(template) };
  compiledRoutes.set(template, compiled);
  return compiled;
}

/** Returns the parameters of a path by an endpoint's template, decoded; undefined when the path does not match. */
export function pathParameters(template: string, path: string): Record<string, string> | undefined {
  const { expression, names } = compiledRoute(template);
  const match = expression.exec(path);
  return match ? Object.fromEntries(names.map((name, i) => [name, decodePart(match[i + 1])])) : undefined;
}

/** Returns a part of a path without escapes; as it is if they are wrong. */
export function decodePart(part = ''): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns a template in the router's notation: `/contacts/:contactId`. */
export const toRouterPath = (template: string): string => template.replaceAll(/\{(\w+)\}/g, ':$1');

/** Sorts fixed parts before parameters, since the router takes the first route that matches. */
export const bySpecificity = (a: string, b: string): number => compare(parameterPositions(a), parameterPositions(b));

// localeCompare would load the rules of all languages: 6 ms of every start.
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const parameterPositions = (template: string): string =>
  template
    .split('/')
    .map((part) => (parameter.test(part) ? '1' : '0'))
    .join('');

/** Returns a path without the slash at its end. */
export const withoutTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
