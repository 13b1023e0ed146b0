import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { RecentRouter } from '../../../src/http/pipeline/recent-router.ts';

/** Returns the bytes of the heap when its garbage is collected. */
function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return getHeapStatistics().used_heap_size;
}

/** Returns a path that is a part of its URL. */
const pathOf = (n: number, query: string): string => `/contacts/${100_000 + n}?${query}`.slice(0, 16);

const idOf = ([handlers]: readonly unknown[]): unknown => (handlers as [string, { id: string }][])[0]?.[1].id;

describe('the router', () => {
  it('finds each path by its own parameters, among the first and among more than it keeps', () => {
    const router = new RecentRouter<string>();
    router.add('GET', '/contacts/:id', 'get');
    router.add('PATCH', '/contacts/:id', 'patch');
    for (let turn = 0; turn < 2; turn++) {
      for (let n = 0; n < 1200; n++) expect(idOf(router.match('GET', `/contacts/${n}`))).toBe(String(n));
    }
    expect(router.match('PATCH', '/contacts/1')[0].map(([handler]) => handler)).toEqual(['patch']);
    expect(router.match('POST', '/contacts/1')[0]).toEqual([]);
  });

  it('keeps a path that is asked for among many others, and none of the control API', () => {
    const router = new RecentRouter<string>();
    router.add('GET', '/contacts/:id', 'get');
    router.add('ALL', '/__admin/*', 'control');
    const first = router.match('GET', '/contacts/first');
    for (let n = 0; n < 3000; n++) {
      router.match('GET', `/contacts/${n}`);
      if (n % 300 === 0) expect(router.match('GET', '/contacts/first')).toBe(first);
    }
    expect(router.match('GET', '/__admin/x')).not.toBe(router.match('GET', '/__admin/x'));
  });

  it('looks again for a path that is too long to keep', () => {
    const router = new RecentRouter<string>();
    router.add('GET', '/contacts/:id', 'get');
    const [short, long] = ['/contacts/1', `/contacts/${'1'.repeat(300)}`];
    expect(router.match('GET', short)).toBe(router.match('GET', short));
    expect(router.match('GET', long)).not.toBe(router.match('GET', long));
    expect(router.match('GET', long)).toEqual(router.match('GET', long));
  });

  it('keeps nothing of the URLs that paths are part of', () => {
    const router = new RecentRouter<string>();
    router.add('GET', '/contacts/:id', 'get');
    // So that the first ones are of before when they come again, as parts of long texts.
    for (let n = 0; n < 501; n++) router.match('GET', pathOf(n, ''));
    const before = heapAfterCollection();
    for (let n = 0; n < 400; n++) router.match('GET', pathOf(n, `${n}`.repeat(10_000)));
    expect(heapAfterCollection() - before).toBeLessThan(2_000_000);
    expect(idOf(router.match('GET', pathOf(399, '')))).toBe('100399');
  });
});
