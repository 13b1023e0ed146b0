import { variationLines } from '../report/variation-words.ts';
import type { Certificate } from './certificate.ts';

/** Returns lines that say what depends on which assumption: `what passed depends on A-24 (…): …`. */
export const dependenceLines = ({ subject, runs }: Certificate['variants'][number]): string[] =>
  variationLines({ finding: subject ?? undefined, runs }).map((line) => `${subject ?? 'what passed'} ${line}`);
