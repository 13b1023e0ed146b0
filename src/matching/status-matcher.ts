/** Returns true for a status that is meant by a number such as 404, a class such as 4xx, or `none`: there was no response. */
export function matchesStatus(wanted: number | string, status: number | undefined): boolean {
  if (typeof wanted === 'number') return wanted === status;
  const text = wanted.toLowerCase();
  if (status === undefined) return text === 'none';
  return text.endsWith('xx') ? text[0] === String(status)[0] : text === String(status);
}
