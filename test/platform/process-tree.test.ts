import { describe, expect, it } from 'vitest';
import { taskkill, windowsEnd } from '../../src/platform/process-tree.ts';
import { stopSignals } from '../../src/platform/stop-signals.ts';

describe('the guard of a process tree', () => {
  it('ends a tree on Windows with all that it has started', () => {
    expect(taskkill(12)).toEqual(['taskkill', '/T', '/F', '/PID', '12']);
  });

  it('stops by Ctrl+Break on Windows alone', () => {
    expect([stopSignals('win32'), stopSignals('linux')]).toEqual([
      ['SIGINT', 'SIGTERM', 'SIGBREAK'],
      ['SIGINT', 'SIGTERM'],
    ]);
  });
});

it.each([
  { signal: 'SIGINT', isAsked: false, how: 'leave' },
  { signal: 'SIGBREAK', isAsked: false, how: 'leave' },
  { signal: 'SIGINT', isAsked: true, how: 'kill' },
  { signal: 'SIGTERM', isAsked: false, how: 'kill' },
  { signal: 'SIGKILL', isAsked: false, how: 'kill' },
] as const)('$how: $signal on Windows, where Ctrl+C has reached the program already: $isAsked', (row) => {
  expect(windowsEnd(row.signal, row.isAsked)).toBe(row.how);
});
