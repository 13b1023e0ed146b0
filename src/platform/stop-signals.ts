import { isWindows } from './platform.ts';
import type { Platform } from './platform.ts';

/** Lists the signals that stop a program: Windows has one more for Ctrl+Break. */
export const stopSignals = (platform: Platform = process.platform): readonly NodeJS.Signals[] =>
  isWindows(platform) ? ['SIGINT', 'SIGTERM', 'SIGBREAK'] : ['SIGINT', 'SIGTERM'];
