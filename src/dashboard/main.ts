/** Starts the dashboard: a bar with tenant, clock and verdict, and one view at a time below. */
import { addressOf, readAddress } from './ui/address.ts';
import { createHeader } from './ui/header.ts';
import { exploreView } from './views/explore.ts';
import { importsView } from './views/imports.ts';
import { requestsView } from './views/requests.ts';
import { contactView } from './views/contact.ts';
import { reportErrors, replaceContent, h, onError } from './ui/elements.ts';
import { faultsView } from './views/faults.ts';
import { registerShortcuts } from './ui/shortcuts.ts';
import { requestTenant } from './api/client.ts';
import { selectTenant, selectedTenant } from './api/selected-tenant.ts';
import type { ClockJson, ShownOperation, Verdict } from './api/api-types.ts';
import { snapshotsView } from './views/snapshots.ts';
import { followTenantEvents } from './api/event-stream.ts';
import type { ReceivedEvent } from './api/event-stream.ts';
import { tenantsView } from './views/tenants.ts';
import { timeView } from './views/time.ts';
import { timelineView } from './views/timeline/timeline-view.ts';
import { verdictView } from './views/verdict.ts';
import { createJournalGrowth } from './verdict/journal-growth.ts';
import { coalesce } from './ui/view.ts';
import type { View } from './ui/view.ts';
import { webhooksView } from './views/webhooks.ts';

const usualTenant = 'default';
const tenantKept = 'loyalty-sim-tenant';

const timeline = timelineView();
const journalGrowth = createJournalGrowth();
const verdict = verdictView((judged: Verdict) => showVerdict(judged));
const time = timeView((face: ClockJson) => top.showClock(face));
const views: readonly View[] = [
  timeline,
  requestsView(),
  verdict,
  faultsView(),
  time,
  webhooksView(),
  importsView(),
  contactView(),
  snapshotsView(),
  tenantsView(),
  exploreView(),
];
const names = views.map(({ name }) => name);
const links = views.map(({ title }) => h('a', {}, title));
const top = createHeader(links, (name) => void (location.hash = `${encodeURIComponent(name)}/${place().view.name}`));
const problem = h('p', { class: 'problem', role: 'alert', hidden: '' });
const main = h('main', { id: 'main' });

/** Returns the tenant and the view that the address names, and what follows their names. */
function place(): { readonly tenant: string; readonly view: View; readonly about: string } {
  const { tenant, view, about } = readAddress(location.hash, names);
  const shown = views.find(({ name }) => name === view) ?? timeline;
  return { tenant: tenant ?? selectedTenant(), view: shown, about };
}

const refresh = (): Promise<void> => reportErrors(() => place().view.refresh(place().about));
const refreshSoon = coalesce(refresh);
/** Shows a verdict in the bar and in the timeline. */
function showVerdict(judged: Verdict): void {
  journalGrowth.noteVerdict(judged);
  top.showWord(judged.verdict);
  timeline.showVerdict({ ...judged, operations: judged.operations.filter(isNotable) });
}

const isNotable = ({ attempts, findings }: ShownOperation): boolean => attempts.length > 1 || findings.length > 0;

/** Reads the verdict; its view reads it in full while it is shown. */
const judge = async (): Promise<void> => {
  if (place().view === verdict) await verdict.refresh('');
  else showVerdict(await requestTenant<Verdict>('GET', '/verdict', { query: { operations: 'notable' } }));
};
// A verdict looks at all requests, so the next one takes longer by what has come since.
const judgeSoon = coalesce(
  () => reportErrors(judge),
  (took) => took * journalGrowth.factor(),
);
const readTenantsSoon = coalesce(() => reportErrors(top.readTenants));

function showPlace(): void {
  const { tenant, view, about } = place();
  // Selecting a tenant aborts what was fetched before, so the view comes after it.
  if (tenant !== selectedTenant() || !isFollowing) switchTenant(tenant);
  // An address without its tenant gets it, so that it can be sent to others.
  history.replaceState(null, '', addressOf(view.name, about));
  for (const [i, link] of links.entries()) {
    if (views[i] === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (main.lastElementChild !== view.element)
    replaceContent(main, h('h2', { class: 'hidden-label' }, view.title), view.element);
  void refresh();
}

function onEvent(received: ReceivedEvent): void {
  const { event, data } = received;
  for (const view of views) view.onEvent?.(received);
  journalGrowth.noteEvent(received);
  // The data of an event is what the control API declares.
  if (event === 'clock.changed' || event === 'snapshot.restored') top.showClock(data as ClockJson);
  if (/^(stream\.opened|tenant\.)/.test(event)) readTenantsSoon();
  if (/^(stream\.opened|tenant\.replaced)$/.test(event)) void reportErrors(top.readClock);
  if (event === 'tenant.deleted' && (data as { readonly deleted: string }).deleted === selectedTenant())
    leaveUnknownTenant();
  if (!document.hidden) refreshStaleViews(event);
}

/** Refreshes the shown view and the verdict if an event has changed them. */
function refreshStaleViews(event: string): void {
  const { view } = place();
  const isStale = ({ refreshOn }: View): boolean => refreshOn.test(event) || event === 'events.dropped';
  if (isStale(verdict)) judgeSoon();
  if (isStale(view) && view !== verdict) refreshSoon();
}

let leave = (): void => {};
let isFollowing = false;

/** Shows the usual tenant when the shown one does not exist: it may be one of an earlier run. */
function leaveUnknownTenant(): void {
  const gone = selectedTenant();
  const { view } = place();
  switchTenant(usualTenant);
  history.replaceState(null, '', addressOf(view.name));
  showPlace();
  showProblem(`There is no tenant "${gone}"; this is "${usualTenant}".`);
}

function switchTenant(name: string): void {
  leave();
  isFollowing = true;
  selectTenant(name);
  sessionStorage.setItem(tenantKept, name);
  top.showTenant();
  for (const [i, link] of links.entries()) link.href = addressOf(names[i] ?? '');
  let wasLost = false;
  leave = followTenantEvents(name, {
    onEvent,
    onConnectionChange: (isLive) => {
      // The views fetch again what they missed.
      if (isLive && wasLost) showProblem('');
      wasLost = !isLive;
      top.showLive(isLive);
    },
    onUnknownTenant: leaveUnknownTenant,
  });
}

function showProblem(message: string): void {
  problem.textContent = message;
  problem.hidden = message === '';
}

document.body.replaceChildren(top.element, problem, main);
onError(showProblem);
addEventListener('hashchange', () => {
  showProblem('');
  showPlace();
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  judgeSoon();
  if (place().view !== verdict) refreshSoon();
});
registerShortcuts(() => {
  if (place().about !== '') location.hash = addressOf(place().view.name);
});
selectTenant(sessionStorage.getItem(tenantKept) ?? usualTenant);
showPlace();
