/** The page: a bar with tenant, clock and verdict above, and one view at a time below. */
import { bar } from './bar.ts';
import { callsView } from './calls.ts';
import { contactView } from './contact.ts';
import { attempt, fill, make, onProblem } from './elements.ts';
import { faultsView } from './faults.ts';
import { listenToKeys } from './keys.ts';
import { lookAt, tenantNow } from './service.ts';
import type { ClockFace, Verdict } from './shown.ts';
import { stateView } from './state.ts';
import { followTenant } from './stream.ts';
import type { Told } from './stream.ts';
import { timeView } from './time.ts';
import { verdictView } from './verdict.ts';
import { soon } from './view.ts';
import type { View } from './view.ts';
import { webhooksView } from './webhooks.ts';

const usualTenant = 'default';
const tenantKept = 'loyalty-sim-tenant';

const calls = callsView();
const verdict = verdictView((word: Verdict['verdict']) => top.showWord(word));
const time = timeView((face: ClockFace) => top.showClock(face));
const views: readonly View[] = [calls, verdict, faultsView(), time, webhooksView(), contactView(), stateView()];
const links = views.map(({ name, title }) => make('a', { href: `#${name}` }, title));
const top = bar(links, follow);
const problem = make('p', { class: 'problem', role: 'alert', hidden: '' });
const main = make('main', { id: 'main' });

/** The view that the address names, and what of it. */
function place(): { readonly view: View; readonly about: string } {
  const [name, about = ''] = location.hash.slice(1).split('/', 2);
  return { view: views.find((view) => view.name === name) ?? calls, about: decoded(about) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const refresh = (): Promise<void> => attempt(() => place().view.refresh(place().about));
const refreshSoon = soon(refresh);
const judgeSoon = soon(() => attempt(() => verdict.refresh('')));
const readTenantsSoon = soon(() => attempt(top.readTenants));

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
  const { event, data } = told;
  for (const view of views) view.hear?.(told);
  // The sim tells what it declares.
  if (event === 'clock.turned' || event === 'state.restored') top.showClock(data as ClockFace);
  if (/^(stream\.opened|tenant\.)/.test(event)) readTenantsSoon();
  if (/^(stream\.opened|tenant\.replaced)$/.test(event)) void attempt(top.readClock);
  if (event === 'tenant.removed' && (data as { readonly removed: string }).removed === tenantNow()) follow(usualTenant);
  if (!document.hidden) freshen(event);
}

/** Refreshes what an event has changed, as far as it is seen. */
function freshen(event: string): void {
  const { view } = place();
  const isStale = ({ staleBy }: View): boolean => staleBy.test(event) || event === 'events.dropped';
  if (isStale(verdict)) judgeSoon();
  if (view !== verdict && isStale(view)) refreshSoon();
}

let leave = (): void => {};

function follow(name: string): void {
  leave();
  lookAt(name);
  sessionStorage.setItem(tenantKept, name);
  leave = followTenant(name, {
    hear,
    isLive: (isLive) => {
      // What could not be fetched meanwhile is fetched now.
      if (isLive) showProblem('');
      top.showLive(isLive);
    },
    // A tenant of an earlier run, perhaps.
    isUnknown: () => follow(usualTenant),
  });
}

function showProblem(message: string): void {
  problem.textContent = message;
  problem.hidden = message === '';
}

document.body.replaceChildren(top.element, problem, main);
onProblem(showProblem);
addEventListener('hashchange', () => {
  showProblem('');
  showPlace();
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  judgeSoon();
  refreshSoon();
});
listenToKeys(() => {
  if (place().about !== '') location.hash = place().view.name;
});
showPlace();
follow(sessionStorage.getItem(tenantKept) ?? usualTenant);
