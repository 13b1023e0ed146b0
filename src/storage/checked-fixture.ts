/**
 * The default fixture as the build leaves it beside the command: parsed by its schemas already, relative dates
 * still relative. A start reads it instead of the file that it was made of, and saves the time that checking takes.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toTimestamp } from '../core/clock.ts';
import type { Instant } from '../core/clock.ts';
import { fixtureSections } from '../resources/fixture-sections.ts';
import { packageFolder } from '../package.ts';
import { dateFrom, relativeDatePattern } from './relative-dates.ts';

const source = join(packageFolder, 'fixtures/default.json');
const checked = join(packageFolder, 'dist/default-fixture.json');

/** 2020-01-01T00:00:00Z; no fixture of ours speaks of that very moment. */
const standIn: Instant = 1_577_836_800_000;

/** 1950 to 2150: further out, relative dates may lead to years that no timestamp has, and the file itself is read. */
const [earliest, latest]: readonly [Instant, Instant] = [-631_152_000_000, 5_680_281_600_000];

interface CheckedFixture {
  /** Length in bytes of the file that it was made of: another length, another file. */
  readonly length: number;
  readonly sections: Readonly<Record<string, unknown>>;
}

/** The sections of the default fixture, with dates counted from `now`; undefined when the build left none, or of another file. */
export function readCheckedFixture(now: Instant): CheckedFixture['sections'] | undefined {
  if (now < earliest || now > latest) return undefined;
  try {
    // Written by `checkedFixture` alone.
    const { length, sections } = JSON.parse(readFileSync(checked, 'utf8')) as CheckedFixture;
    if (statSync(source).size !== length) return undefined;
    dateFrom(sections, now);
    return sections;
  } catch {
    return undefined;
  }
}

/** What the build writes. Throws when the fixture isn't valid. */
export function checkedFixture(): string {
  const text = readFileSync(source, 'utf8');
  // Schemas take timestamps alone: each relative date gets one of its own to pass as, and gets its place back.
  const passing = new Map<string, string>();
  const dated = text.replaceAll(/"([+-]P[^"]*)"/g, (quoted, date: string) => {
    if (!relativeDatePattern.test(date)) return quoted;
    const timestamp = toTimestamp(standIn + passing.size);
    passing.set(timestamp, date);
    return `"${timestamp}"`;
  });
  const data: Record<string, unknown> = JSON.parse(dated);
  const sections = Object.fromEntries(
    fixtureSections.flatMap(({ name, schema }) => (name in data ? [[name, schema.parse(data[name])]] : [])),
  );
  const relative = (_: string, value: unknown): unknown => passing.get(String(value)) ?? value;
  return JSON.stringify({ length: Buffer.byteLength(text), sections } satisfies CheckedFixture, relative);
}
