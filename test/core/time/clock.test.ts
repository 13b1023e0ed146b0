import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addMonths, Clock, parseTimestamp, toTimestamp } from '../../../src/core/time/clock.ts';
import { parseDuration } from '../../../src/core/lib/duration.ts';

const moved = (from: string, months: number): string => toTimestamp(addMonths(parseTimestamp(from) ?? 0, months));

describe('timestamps', () => {
  it.each([
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:00:00+01:00', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T10:00:00.1234567-0330', '2026-03-01T13:30:00.123Z'],
    ['2026-03-01T10:00z', '2026-03-01T10:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (text, meant) => {
    expect(toTimestamp(parseTimestamp(text) ?? Number.NaN)).toBe(meant);
  });

  it.each([
    '2026-03-01T10:00:00',
    '2026-03-01',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T10:61:00Z',
    '2026-03-01T10:00:00+15:00',
    '2026-03-01T10:00:00+01:75',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    'yesterday',
    '',
  ])('refuses "%s"', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('moves by months to the last day where the month is shorter', () => {
    expect(moved('2026-01-31T08:30:00Z', 1)).toBe('2026-02-28T08:30:00.000Z');
    expect(moved('2024-02-29T00:00:00.001Z', -12)).toBe('2023-02-28T00:00:00.001Z');
    expect(moved('2026-03-15T23:59:59Z', -24)).toBe('2024-03-15T23:59:59.000Z');
  });
});

describe('durations', () => {
  it.each([
    ['500ms', 0, 500],
    ['1.5s', 0, 1500],
    ['1h30m', 0, 5_400_000],
    ['30d', 0, 2_592_000_000],
    ['P30D', 0, 2_592_000_000],
    ['-P2M', -2, 0],
    ['P1Y2M3DT4H5M6S', 14, 273_906_000],
    ['PT15M', 0, 900_000],
  ])('reads %s', (text, months, milliseconds) => {
    expect(parseDuration(text)).toEqual({ months, milliseconds });
  });

  it.each(['', '30', 'd', '3 fortnights', 'P', 'PT', '1h2x', '-5s'])('refuses "%s"', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('Clock', () => {
  it('stands still when frozen, and goes on from there when resumed', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const clock = new Clock({ frozenAt: 1000 });
    clock.set(5000);
    expect([clock.now(), clock.isFrozen]).toEqual([5000, true]);
    clock.resume();
    expect(clock.isFrozen).toBe(false);
    expect(clock.now()).toBe(5000);
    vi.advanceTimersByTime(70);
    expect(clock.now()).toBe(5070);
  });
});
