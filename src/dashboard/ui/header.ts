/** The bar above: whose service it is, its clock, the verdict so far, and whether anything is heard of it. */
import { runningClock } from '../views/clock-panel.ts';
import { replaceContent, h } from './elements.ts';
import { requestSim, requestTenant, needsAdminKey, selectedTenant } from '../api/client.ts';
import type { ClockJson, TenantJson, Verdict } from '../api/api-types.ts';

export function createHeader(links: readonly HTMLElement[], onTenant: (name: string) => void) {
  const face = h('a', { class: 'clock', href: '#time', title: "The tenant's clock" });
  const badge = h('a', { class: 'badge', href: '#verdict', title: 'The verdict' }, '…');
  const docs = h('a', { class: 'docs', href: '/__admin/docs' }, 'endpoints');
  const live = h('span', { class: 'live', role: 'status' });
  const tenants = h('select', { 'aria-label': 'Tenant' });
  tenants.addEventListener('change', () => onTenant(tenants.value));
  const showClock = runningClock(face);
  return {
    element: h(
      'header',
      {},
      h('h1', {}, 'loyalty-sim'),
      tenants,
      face,
      badge,
      live,
      docs,
      h('nav', { 'aria-label': 'Views' }, links),
    ),
    showClock,
    readClock: async (): Promise<void> => showClock(await requestTenant<ClockJson>('GET', '/clock')),
    readTenants: async (): Promise<void> => {
      const { tenants: all } = await requestSim<{ tenants: TenantJson[] }>('GET', '/tenants?limit=1000');
      const names = new Set([...all.map(({ name }) => name), selectedTenant()]);
      replaceContent(
        tenants,
        [...names].map((name) => h('option', { value: name }, name)),
      );
      tenants.value = selectedTenant();
    },
    showWord: (word: Verdict['verdict']): void => {
      badge.textContent = word;
      badge.className = `badge ${word.toLowerCase()}`;
    },
    showLive: (isLive: boolean): void => {
      docs.hidden = needsAdminKey();
      live.textContent = isLive ? 'live' : 'no connection, trying again';
      live.classList.toggle('lost', !isLive);
    },
  };
}
