import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** Each room with the rooms that it may import, types included. A room's own files may import each other. */
const rooms = {
  core: [],
  package: [],
  platform: ['core'],
  service: ['core'],
  matching: ['core', 'service'],
  faults: ['core', 'matching'],
  webhooks: ['core', 'service'],
  imports: ['core', 'service'],
  storage: ['core', 'package', 'platform', 'service'],
  scenario: ['core', 'package', 'service', 'matching', 'faults', 'storage'],
  format: [],
  verdict: ['core', 'service', 'matching', 'faults', 'scenario', 'webhooks', 'format'],
  explore: ['core', 'service', 'matching', 'faults', 'scenario', 'webhooks', 'verdict'],
  script: ['core', 'matching', 'scenario', 'storage', 'verdict', 'format'],
  http: ['core', 'platform', 'service', 'faults'],
  admin: [
    'core',
    'package',
    'service',
    'matching',
    'faults',
    'webhooks',
    'imports',
    'storage',
    'scenario',
    'verdict',
    'http',
  ],
  telemetry: ['core', 'service'],
  'point-master': ['core/lib', 'core/time'],
  simulator: [
    'core',
    'package',
    'service',
    'matching',
    'faults',
    'webhooks',
    'imports',
    'storage',
    'scenario',
    'verdict',
    'explore',
    'http',
    'admin',
    'telemetry',
    'point-master',
  ],
  testing: ['core', 'verdict', 'simulator'],
  control: ['core/exchange/path-template'],
  config: ['core', 'platform', 'simulator/settings', 'storage/files'],
  cli: ['*'],
  dashboard: ['admin', 'format', 'core/exchange/path-template'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const root = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

/** The files that a file imports, statically, dynamically or as types. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const specifiers = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*['"](?<path>\.[^'"]+)['"]/g);
  return [...specifiers].map(({ groups }) => relative(root, resolve(root, dirname(file), groups?.['path'] ?? '')));
}

const graph = new Map(files.map((file) => [file, importsOf(file).filter((path) => files.includes(path))]));
const roomOf = (file: string): string => file.split('/')[0] ?? '';

describe('the rooms of src', () => {
  it('are all in the table, and nothing lies loose but index.ts', () => {
    const found = new Set(files.map(roomOf));
    expect([...found].toSorted()).toEqual([...Object.keys(rooms), 'index.ts'].toSorted());
  });

  it.each(Object.entries(rooms))('%s imports only what the table allows', (room, allowed: readonly string[]) => {
    const isAllowed = (path: string) =>
      roomOf(path) === room ||
      allowed.some((name) => name === '*' || path.startsWith(`${name}/`) || path === `${name}.ts`);
    const foreign = files
      .filter((file) => roomOf(file) === room)
      .flatMap((file) => (graph.get(file) ?? []).filter((path) => !isAllowed(path)).map((path) => `${file} → ${path}`));
    expect(foreign).toEqual([]);
  });

  it('leave nothing of the service in the pages but types', () => {
    const pages = files.filter((file) => roomOf(file) === 'dashboard');
    const values = pages.filter((file) =>
      /^import (?!type\b)[^;]*?from '(?:\.\.\/)+admin\//m.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(values).toEqual([]);
  });

  it('are the rooms that docs/contributing.md describes, in its order', () => {
    const page = readFileSync(join(root, '../docs/contributing.md'), 'utf8');
    const table = page.slice(page.indexOf('| Room '), page.indexOf('Ask these questions'));
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const named = new Map(
      rows.map((row) => {
        const [, room = '', , imports = ''] = row.split('|').map((cell) => cell.trim());
        return [room.replaceAll('`', ''), imports];
      }),
    );
    expect([...named.keys()].toSorted()).toEqual(Object.keys(rooms).toSorted());
    // A cell lists all of them, or says which are missing of those above.
    const lists = Object.entries(rooms).filter(
      ([room]) => !/\babove\b|^as |^all$|^types\b/.test(named.get(room) ?? ''),
    );
    for (const [room, allowed] of lists) {
      const listed = [...(named.get(room) ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name);
      expect([room, listed.toSorted()]).toEqual([room, [...allowed].toSorted()]);
    }
  });

  it('import each other in no circle', () => {
    expect(circles()).toEqual([]);
  });
});

/** Every set of files that reach each other by imports (Tarjan's algorithm). */
function circles(): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file) ?? 0);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) found.push(circle.toSorted());
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return found;
}
