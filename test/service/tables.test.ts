import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tables } from '../../src/service/tables.ts';

const isTable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'name' in value && 'scope' in value && 'key' in value;

describe('the list of tables', () => {
  it('lists every table there is, so that each is saved', async () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
    const rooms = files.filter((file) => /^(core|service|webhooks|scenario)\/.*\.ts$/.test(file));
    const modules = await Promise.all(rooms.map((file) => import(resolve('src', file))));
    const found = new Set(modules.flatMap((module) => Object.values(module).filter(isTable)));
    expect(found.size).toBeGreaterThan(10);
    expect(new Set<unknown>(tables)).toEqual(found);
  });

  it('gives each its own name', () => {
    expect(new Set(tables.map(({ name }) => name)).size).toBe(tables.length);
  });
});
