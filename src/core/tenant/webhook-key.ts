const keyLength = 32;

/** Returns why a key can't encrypt webhooks, without repeating it; undefined when it can. */
export function invalidKeyReason(key: string): string | undefined {
  const length = Buffer.byteLength(key, 'utf8');
  if (length === keyLength) return undefined;
  return `must be ${keyLength} characters that take one byte each, not ${length} bytes`;
}
