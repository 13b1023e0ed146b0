/** Formats timestamps as the page shows them, in UTC. */

/** Returns the timestamp that comes so many milliseconds after another. */
export const addMilliseconds = (timestamp: string, milliseconds: number): string =>
  new Date(Date.parse(timestamp) + milliseconds).toISOString();

/** Returns the timestamp of a time in ms since 1970. */
export const formatInstant = (instant: number): string => new Date(instant).toISOString();

/** Returns `14:05:09`. */
export const formatTime = (timestamp: string): string => timestamp.slice(11, 19);

/** Returns `2026-03-01 14:05:09`. */
export const formatDateTime = (timestamp: string): string => `${timestamp.slice(0, 10)} ${formatTime(timestamp)}`;

/** Returns the milliseconds of a timestamp since 1970. */
export const parseMoment = (timestamp: string): number => Date.parse(timestamp);

/** Returns `2026-03-01` for the milliseconds of a moment since 1970. */
export const formatDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
