/** Tells by its name which file of an import folder is meant for the batch. */
import { parseTimestamp } from '../core/time/clock.ts';

/** Shows what a name looks like. */
const fileNameExample = '20260301120000_471_transactions.xml';

const namePattern = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})_(?:[^/\\]+_)?transactions\.xml$/;

/** Matches the names that upload programs give to a file until it is complete. */
const uploadPattern = /^[.~]|^\.in\.|\.(?:part|filepart|tmp|temp|uploading|upload|partial|crdownload|swp|lock)$/i;

const maxNameLength = 200;

/** True for the name of a file that is still being uploaded, and renamed when it is complete. */
export const isUploadName = (name: string): boolean => uploadPattern.test(name);

/** Says what is wrong with the name of a file; undefined when it is a name that the batch takes. */
export function nameError(name: string): string | undefined {
  if (name.length > maxNameLength) return `has a name of ${name.length} characters; at most ${maxNameLength} are taken`;
  const [, year, month, day, hour, minute, second] = namePattern.exec(name) ?? [];
  if (year === undefined) {
    return `is not named YYYYMMDDHHmmss_[sequence or store]_transactions.xml, as ${fileNameExample}`;
  }
  if (parseTimestamp(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) !== undefined) return undefined;
  return `has a name that begins with ${name.slice(0, 14)}, which is no moment; see ${fileNameExample}`;
}
