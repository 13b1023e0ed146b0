/** Shows all tenants as a grid: their verdicts, requests, faults and last activity. */
import { statusMarks } from '../../format/timeline.ts';
import { h, pluralize, replaceContent, reportErrors } from '../ui/elements.ts';
import { renderItems } from '../ui/items.ts';
import { requestSim } from '../api/client.ts';
import { selectedTenant } from '../api/selected-tenant.ts';
import type { TenantJson, Verdict } from '../api/api-types.ts';
import type { View } from '../ui/view.ts';
import { verdictWords } from '../tenants/verdict-words.ts';

/** Reads the tenants again after so many ms while they are shown: events tell of one tenant only. */
const interval = 2000;

interface Cell {
  readonly name: string;
  readonly requests: number;
  readonly faulted: number;
  readonly seen: string;
  readonly word: Verdict['verdict'] | undefined;
  readonly isSelected: boolean;
}

const minute = 60_000;

/** Says how long ago the last request came, in real time. */
function seenText(idle: number | null | undefined): string {
  if (idle === null || idle === undefined) return 'no requests yet';
  if (idle < 10_000) return 'just now';
  if (idle < minute) return 'less than a minute ago';
  if (idle < 60 * minute) return `${pluralize(Math.floor(idle / minute), 'minute')} ago`;
  return `${pluralize(Math.floor(idle / (60 * minute)), 'hour')} ago`;
}

const cellItem = ({ name, requests, faulted, seen, word, isSelected }: Cell): HTMLElement =>
  h(
    'li',
    { 'data-name': name },
    h(
      'a',
      {
        class: `tenant ${word?.toLowerCase() ?? ''}`,
        href: `#${encodeURIComponent(name)}/requests`,
        ...(isSelected && { 'aria-current': 'true' }),
      },
      h('strong', {}, name),
      h('span', { class: 'word-of-tenant' }, word === undefined ? '…' : `${statusMarks[word]} ${word}`),
      h('span', { class: 'faint' }, `${pluralize(requests, 'request')}, ${pluralize(faulted, 'fault')}`),
      h('span', { class: 'faint' }, seen),
    ),
  );

/** Orders tenants by their last request; those without one come last. */
const idleOf = ({ activity }: TenantJson): number => activity?.idle ?? Infinity;

export function tenantsView(): View {
  const count = h('p', { class: 'faint', role: 'status' });
  const grid = h('ul', { class: 'tenants' });
  const inSight = new Set<string>();
  let tenants: readonly TenantJson[] = [];
  const words = verdictWords(() => render());
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const name = target.getAttribute('data-name') ?? '';
      if (isIntersecting) inSight.add(name);
      else inSight.delete(name);
    }
    judge();
  });
  const judge = (): void => void words.judge(tenants.filter(({ name }) => inSight.has(name)));
  function render(): void {
    const cells = tenants.map(({ name, exchanges, activity }): Cell => ({
      name,
      requests: exchanges,
      faulted: activity?.faulted ?? 0,
      seen: seenText(activity?.idle),
      word: words.wordOf(name),
      isSelected: name === selectedTenant(),
    }));
    renderItems(grid, cells, { key: ({ name }) => name, render: cellItem });
    observer.disconnect();
    for (const cell of grid.children) observer.observe(cell);
  }
  const refresh = async (): Promise<void> => {
    const found = await requestSim<{ count: number; tenants: TenantJson[] }>('GET', '/tenants', {
      query: { activity: 'true', limit: '1000' },
    });
    // Of those that were called at once, the newest in front.
    tenants = found.tenants.toReversed().toSorted((a, b) => (idleOf(a) === idleOf(b) ? 0 : idleOf(a) - idleOf(b)));
    const more = found.count > tenants.length ? `, the first ${tenants.length} are shown` : '';
    replaceContent(count, `${pluralize(found.count, 'tenant')}${more}`);
    render();
  };
  const element = h('div', { class: 'tenants-view' }, count, grid);
  setInterval(() => {
    if (element.isConnected && !document.hidden) void reportErrors(refresh);
  }, interval);
  return { name: 'tenants', title: 'Tenants', element, refreshOn: /^(tenant|stream)/, refresh };
}
