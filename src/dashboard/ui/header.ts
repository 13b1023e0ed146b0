/** Shows the bar above the views: tenant, clock, verdict so far, and whether the connection is live. */
import { addressOf } from './address.ts';
import { chip, replaceContent, h } from './elements.ts';
import { setPresent } from './moments.ts';
import { addMilliseconds, formatDateTime } from './timestamps.ts';
import { requestSim, requestTenant } from '../api/client.ts';
import { selectedTenant } from '../api/selected-tenant.ts';
import type { ClockJson, TenantJson, Verdict } from '../api/api-types.ts';

/** Returns how to show a clock in an element, where it runs on from what the simulator said last. */
function runningClock(element: HTMLElement): (face: ClockJson) => void {
  let face: ClockJson = { now: '', frozen: true };
  let receivedAt = 0;
  const show = (): void => {
    if (face.now === '') return;
    const passed = face.frozen ? 0 : performance.now() - receivedAt;
    const now = addMilliseconds(face.now, passed);
    setPresent(now);
    replaceContent(
      element,
      h('time', { datetime: now }, formatDateTime(now)),
      ' UTC ',
      face.frozen && chip('frozen', 'frozen'),
    );
  };
  setInterval(show, 1000);
  return (clock) => {
    face = clock;
    receivedAt = performance.now();
    show();
  };
}

export function createHeader(links: readonly HTMLElement[], onTenant: (name: string) => void) {
  const face = h('a', { class: 'clock', title: "The tenant's clock" });
  const badge = h('a', { class: 'badge', title: 'The verdict' }, '…');
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
    /** Points the links at the selected tenant. */
    showTenant: (): void => {
      face.href = addressOf('time');
      badge.href = addressOf('verdict');
      tenants.value = selectedTenant();
    },
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
      live.textContent = isLive ? 'live' : 'no connection, trying again';
      live.classList.toggle('lost', !isLive);
    },
  };
}
