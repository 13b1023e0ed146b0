/** Names the systems that behave in their own way; whatever is no Windows here is taken for POSIX. */
export type Platform = NodeJS.Platform;

export const isWindows = (platform: Platform = process.platform): boolean => platform === 'win32';
