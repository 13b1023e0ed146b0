/** Holds the key by which clients know an SFTP server again. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { InputError } from '../../core/lib/input-error.ts';

/** Returns the key in a file, which is created with a new one if need be; without a path, a key for this start alone. */
export async function loadHostKey(path: string | undefined): Promise<string> {
  if (path === undefined) return createHostKey();
  try {
    const kept = await readFile(path, 'utf8').catch(ignoreMissing);
    if (kept !== undefined) return checkedKey(kept);
    const key = createHostKey();
    await writeFile(path, key, { mode: 0o600, flag: 'wx' });
    return key;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(
      `${path} can't be used as the host key of the SFTP server: ${reason}; delete it for a new one`,
    );
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Throws when the text is no private key. */
function checkedKey(text: string): string {
  createPrivateKey(text);
  return text;
}

function createHostKey(): string {
  const format = { type: 'sec1', format: 'pem' } as const;
  return generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    privateKeyEncoding: format,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}
