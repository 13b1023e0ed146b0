/** The page: a bar with tenant, clock and verdict above, and one view at a time below. */
import { callsView } from './calls.ts';
import { clockFace } from './clock.ts';
import { contactView } from './contact.ts';
import { attempt, fill, make, onProblem } from './elements.ts';
import { faultsView } from './faults.ts';
import { callSim, callTenant, lookAt, tenantNow } from './service.ts';
import type { ClockFace, TenantLine, Verdict } from './shown.ts';
import { stateView } from './state.ts';
import { followTenant } from './stream.ts';
import type { Told } from './stream.ts';
import { timeView } from './time.ts';
import { verdictView } from './verdict.ts';
import { soon } from './view.ts';
import type { View } from './view.ts';
import { webhooksView } from './webhooks.ts';

const face = make('a', { class: 'clock', href: '#time', title: "The tenant's clock" });
const badge = make('a', { class: 'badge', href: '#verdict', title: 'The verdict' }, '…');
const live = make('span', { class: 'live', role: 'status' });
const tenants = make('select', { 'aria-label': 'Tenant' });
const problem = make('p', { class: 'problem', role: 'alert', hidden: '' });
const main = make('main', { id: 'main', tabindex: '-1' });

function showProblem(message: string): void {
  problem.textContent = message;
  problem.hidden = message === '';
}

const showClock = clockFace(face);
const showWord = (word: Verdict['verdict']): void => {
  badge.textContent = word;
  badge.className = `badge ${word.toLowerCase()}`;
};
const verdict = verdictView(showWord);
const calls = callsView();
const views: readonly View[] = [
  calls,
  verdict,
  faultsView(),
  timeView(showClock),
  webhooksView(),
  contactView(),
  stateView(),
];
const links = views.map(({ name, title }) => make('a', { href: `#${name}` }, title));

/** The view that the address names, and what of it. */
function place(): { readonly view: View; readonly about: string } {
  const [name, about = ''] = location.hash.slice(1).split('/', 2);
  return { view: views.find((view) => view.name === name) ?? calls, about: decodeURIComponent(about) };
}

const refresh = (): Promise<void> => attempt(() => place().view.refresh(place().about));
const refreshSoon = soon(refresh);
const judgeSoon = soon(() => attempt(() => verdict.refresh('')));

function showPlace(): void {
  const { view } = place();
  for (const [i, link] of links.entries()) {
    if (views[i] === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (main.firstElementChild !== view.element) fill(main, view.element);
  void refresh();
}

function hear(told: Told): void {
  for (const view of views) view.hear?.(told);
  if (told.event === 'clock.turned' || told.event === 'state.restored') showClock(told.data as ClockFace);
  if (/^(stream\.opened|tenant\.)/.test(told.event)) void attempt(readTenants);
  if (/^(stream\.opened|tenant\.replaced)$/.test(told.event)) void attempt(readClock);
  const { view } = place();
  if (verdict.staleBy.test(told.event)) judgeSoon();
  if (view !== verdict && view.staleBy.test(told.event)) refreshSoon();
}

const readClock = async (): Promise<void> => showClock(await callTenant<ClockFace>('GET', '/clock'));

async function readTenants(): Promise<void> {
  const { tenants: all } = await callSim<{ tenants: TenantLine[] }>('GET', '/tenants');
  const names = all.map(({ name }) => name);
  if (!names.includes(tenantNow())) names.push(tenantNow());
  fill(
    tenants,
    names.map((name) => make('option', { value: name }, name)),
  );
  tenants.value = tenantNow();
}

let leave = (): void => {};

function follow(name: string): void {
  leave();
  lookAt(name);
  sessionStorage.setItem('loyalty-sim-tenant', name);
  leave = followTenant(name, {
    hear,
    isLive: (isLive) => {
      // What could not be fetched meanwhile is fetched now.
      if (isLive) showProblem('');
      live.textContent = isLive ? 'live' : 'no connection, trying again';
      live.classList.toggle('lost', !isLive);
    },
  });
}

function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
    if (event.key === 'Escape' && !document.querySelector('dialog[open]') && place().about !== '')
      location.hash = place().view.name;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') focusFilter(event);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveInList(event);
  });
}

function focusFilter(event: Event): void {
  event.preventDefault();
  location.hash = 'calls';
  // The view is put in its place first.
  setTimeout(() => document.querySelector<HTMLElement>('input[type=search]')?.focus());
}

/** Arrow keys go from call to call. */
function moveInList(event: KeyboardEvent): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.list > a')];
  const at = rows.findIndex((row) => row === document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  rows[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}

document.body.replaceChildren(
  make(
    'header',
    {},
    make('h1', {}, 'loyalty-sim'),
    make('label', {}, make('span', { class: 'hidden-label' }, 'Tenant'), tenants),
    face,
    badge,
    live,
    make('a', { class: 'docs', href: '/__admin/docs' }, 'endpoints'),
    make('nav', { 'aria-label': 'Views' }, links),
  ),
  problem,
  main,
);
onProblem(showProblem);
tenants.addEventListener('change', () => follow(tenants.value));
addEventListener('hashchange', showPlace);
listenToKeys();
showPlace();
follow(sessionStorage.getItem('loyalty-sim-tenant') ?? 'default');
