/** The bar above: whose service it is, its clock, the verdict so far, and whether anything is heard of it. */
import { clockFace } from './clock.ts';
import { fill, make } from './elements.ts';
import { callSim, callTenant, needsKey, tenantNow } from './service.ts';
import type { ClockFace, TenantLine, Verdict } from './shown.ts';

export function bar(links: readonly HTMLElement[], onTenant: (name: string) => void) {
  const face = make('a', { class: 'clock', href: '#time', title: "The tenant's clock" });
  const badge = make('a', { class: 'badge', href: '#verdict', title: 'The verdict' }, '…');
  const docs = make('a', { class: 'docs', href: '/__admin/docs' }, 'endpoints');
  const live = make('span', { class: 'live', role: 'status' });
  const tenants = make('select', { 'aria-label': 'Tenant' });
  tenants.addEventListener('change', () => onTenant(tenants.value));
  const showClock = clockFace(face);
  return {
    element: make(
      'header',
      {},
      make('h1', {}, 'loyalty-sim'),
      tenants,
      face,
      badge,
      live,
      docs,
      make('nav', { 'aria-label': 'Views' }, links),
    ),
    showClock,
    readClock: async (): Promise<void> => showClock(await callTenant<ClockFace>('GET', '/clock')),
    readTenants: async (): Promise<void> => {
      const { tenants: all } = await callSim<{ tenants: TenantLine[] }>('GET', '/tenants?limit=1000');
      const names = new Set([...all.map(({ name }) => name), tenantNow()]);
      fill(
        tenants,
        [...names].map((name) => make('option', { value: name }, name)),
      );
      tenants.value = tenantNow();
    },
    showWord: (word: Verdict['verdict']): void => {
      badge.textContent = word;
      badge.className = `badge ${word.toLowerCase()}`;
    },
    showLive: (isLive: boolean): void => {
      docs.hidden = needsKey();
      live.textContent = isLive ? 'live' : 'no connection, trying again';
      live.classList.toggle('lost', !isLive);
    },
  };
}
