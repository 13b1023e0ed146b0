import { describe, expect, it } from 'vitest';
import { addLocalMonths, isTimeZone, utcOffsetOf } from '../../../src/core/time/time-zone.ts';

const offsetByRuntime = (timeZone: string, instant: number): number => {
  const text = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).format(instant);
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
};

describe('the calculation of time zones', () => {
  it.each(['Europe/Stockholm', 'Europe/Oslo', 'Europe/Copenhagen', 'Europe/Berlin', 'Europe/Helsinki', 'Asia/Kolkata'])(
    'knows the clocks of %s as the runtime does, to the millisecond of a change',
    (timeZone) => {
      for (let year = 1990; year < 2040; year++) {
        for (const [month, day] of [
          [0, 1],
          [6, 1],
        ] as const) {
          const at = Date.UTC(year, month, day);
          expect([year, utcOffsetOf(timeZone, at)]).toEqual([year, offsetByRuntime(timeZone, at)]);
        }
      }
      for (const change of ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z'].map((text) => Date.parse(text))) {
        for (const at of [change - 1, change]) expect(utcOffsetOf(timeZone, at)).toBe(offsetByRuntime(timeZone, at));
      }
    },
  );

  it.each([
    ['2026-01-31T22:59:59Z', 1, '2026-02-28T22:59:59.000Z'],
    ['2026-01-31T23:00:00Z', 1, '2026-02-28T23:00:00.000Z'],
    ['2026-02-28T23:30:00Z', 6, '2026-08-31T22:30:00.000Z'],
    // 02:30 is skipped on 29 March, and comes twice on 25 October.
    ['2026-02-28T01:30:00Z', 1, '2026-03-28T01:30:00.000Z'],
    ['2026-01-29T01:30:00Z', 2, '2026-03-29T01:30:00.000Z'],
    ['2026-09-25T00:30:00Z', 1, '2026-10-25T00:30:00.000Z'],
  ])('moves %s by %i months in Stockholm', (from, months, to) => {
    expect(new Date(addLocalMonths(Date.parse(from), months, 'Europe/Stockholm')).toISOString()).toBe(to);
  });

  it('knows the names of time zones', () => {
    expect(['UTC', 'America/New_York', 'Europe/Atlantis', ''].map(isTimeZone)).toEqual([true, true, false, false]);
  });
});
