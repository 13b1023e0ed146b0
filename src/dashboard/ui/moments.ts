/** Shows moments as people say them, seen from the tenant's clock, with the exact timestamp at hand. */
import { formatLength } from '../../format/timeline.ts';
import { h } from './elements.ts';
import { relativeTime } from './relative-time.ts';
import { formatDateTime, parseMoment } from './timestamps.ts';

let now = '';

const exactText = (timestamp: string): string => `${formatDateTime(timestamp)} UTC`;
const wordsFor = (timestamp: string): string => (now === '' ? formatDateTime(timestamp) : relativeTime(timestamp, now));

/** Sets the tenant's clock, and says all moments again that are shown. */
export function setPresent(timestamp: string): void {
  now = timestamp;
  for (const element of document.querySelectorAll<HTMLTimeElement>('time.moment')) {
    const words = wordsFor(element.dateTime);
    if (element.textContent !== words) element.textContent = words;
  }
}

/** Says when something is or was: `in 30 days`, `5 minutes ago`. */
export const moment = (timestamp: string): HTMLElement =>
  h('time', { class: 'moment', datetime: timestamp, title: exactText(timestamp) }, wordsFor(timestamp));

/** Says how much later something was than something else: `5 minutes later`. */
export function laterText(timestamp: string, before: string): string {
  const length = parseMoment(timestamp) - parseMoment(before);
  return length === 0 ? 'at the same moment' : `${formatLength(length)} later`;
}

export const momentAfter = (timestamp: string, before: string): HTMLElement =>
  h('time', { class: 'later', datetime: timestamp, title: exactText(timestamp) }, laterText(timestamp, before));

/** Shows the exact timestamp, and says it in words where one points. */
export const exactMoment = (timestamp: string): HTMLElement =>
  h('time', { datetime: timestamp, title: wordsFor(timestamp) }, formatDateTime(timestamp));
