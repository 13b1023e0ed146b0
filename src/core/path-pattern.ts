/**
 * Reads a pattern of paths, in which `{name}` stands for one part and `*` for any text, slashes included:
 * `/api/v3/contacts/{contactId}`, `/api/v3/*`. Answers whether a path fits it.
 */
export function pathPattern(pattern: string): (path: string) => boolean {
  const source = pattern
    .split(/(\{\w*\}|\*+)/)
    .map((part) => {
      if (part.startsWith('*')) return '.*';
      return /^\{\w*\}$/.test(part) ? '[^/]+' : part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    })
    .join('');
  const expression = new RegExp(`^${source}$`, 's');
  return (path) => expression.test(path);
}
