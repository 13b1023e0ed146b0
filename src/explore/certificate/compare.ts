/** Compares two certificates of a client: what differs, row by row. Times are left out. */
import type { Certificate, CertificateRow } from './certificate.ts';
import { dependenceLines } from './dependences.ts';

/** Returns a line for each thing that differs; none when both say the same. */
export function compareCertificates(before: Certificate, now: Certificate): string[] {
  return [
    ...headDifferences(before, now),
    ...rowDifferences(before.rows, now.rows),
    ...listDifferences('not tested', notTestedLines(before), notTestedLines(now)),
    ...listDifferences('assumptions', before.variants.flatMap(dependenceLines), now.variants.flatMap(dependenceLines)),
    ...listDifferences('note', before.notes, now.notes),
    ...listDifferences('basis', before.basis.map(textOf), now.basis.map(textOf)),
  ];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function headDifferences(before: Certificate, now: Certificate): string[] {
  const [left, right] = [headOf(before), headOf(now)];
  return Object.entries(left).flatMap(([name, value]) =>
    value === right[name] ? [] : [`${name}: ${value} → ${right[name]}`],
  );
}

function headOf({ client, verdict, reason, versions, settings, trace }: Certificate): Record<string, string> {
  const head = { client, verdict, reason, ...versions, ...settings, requests: trace.requests, trace: trace.hash };
  return Object.fromEntries(Object.entries(head).map(([name, value]) => [name, textOf(value)]));
}

function rowDifferences(before: readonly CertificateRow[], now: readonly CertificateRow[]): string[] {
  const later = new Map(now.map((row) => [row.id, row]));
  const earlier = new Set(before.map(({ id }) => id));
  return [
    ...before.flatMap((row) => {
      const other = later.get(row.id);
      return other ? fieldDifferences(row, other) : [`${row.id}: was tested, and is not any more`];
    }),
    ...now.filter(({ id }) => !earlier.has(id)).map(({ id, outcome }) => `${id}: is new: ${outcome}`),
  ];
}

function fieldDifferences(before: CertificateRow, now: CertificateRow): string[] {
  // The row's own keys, which TypeScript widens.
  const names = Object.keys(before) as (keyof CertificateRow)[];
  return names
    .filter((name) => textOf(before[name]) !== textOf(now[name]))
    .map((name) => `${before.id}: ${name}: ${textOf(before[name])} → ${textOf(now[name])}`);
}

function notTestedLines({
  notTested: { leftOut, budget, unreachable, equivalent, endpoints, rules },
}: Certificate): string[] {
  return [
    ...leftOut,
    ...budget.map((id) => `${id} (budget)`),
    ...unreachable.map((id) => `${id} (never met)`),
    ...equivalent.map(({ id, witness }) => `${id} (as ${witness})`),
    ...endpoints.map((id) => `${id} (never called)`),
    ...rules.map(({ rule }) => rule),
  ];
}

function listDifferences(what: string, before: readonly string[], now: readonly string[]): string[] {
  return [
    ...before.filter((text) => !now.includes(text)).map((text) => `${what}: no longer ${text}`),
    ...now.filter((text) => !before.includes(text)).map((text) => `${what}: now ${text}`),
  ];
}
