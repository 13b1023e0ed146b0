/**
 * Reads a pattern of paths, in which `{name}` stands for one part and `*` for any text, slashes included:
 * `/api/v3/contacts/{contactId}`, `/api/v3/*`. Answers whether a path fits it.
 */
export function compilePathTemplate(pattern: string): (path: string) => boolean {
  const [start = '', ...others] = pattern.split(/\*+/).map(sourceOf);
  const end = others.pop();
  // Each text between two stars is taken where it first occurs, for good: trying all the others would take
  // longer than anybody waits.
  const between = others.map((source, i) => `(?=(.*?${source}))\\${i + 1}`).join('');
  const expression = new RegExp(`^${start}${end === undefined ? '' : `${between}.*${end}`}$`, 's');
  return (path) => expression.test(path);
}

/** A piece of a pattern without stars; braces around a whole part stand for any. */
const sourceOf = (piece: string): string =>
  piece
    .split(/(?<=^|\/)(\{\w*\})(?=\/|$)/)
    .map((text) => (/^\{\w*\}$/.test(text) ? '[^/]+?' : text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)))
    .join('');
