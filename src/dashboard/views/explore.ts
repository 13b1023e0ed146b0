/** Shows an exploration as a map: the one that runs on this simulator, or an explore.json, which stays in the browser. */
import { h, button, pluralize, replaceContent, reportErrors } from '../ui/elements.ts';
import { renderItems, renderValue } from '../ui/items.ts';
import { cellDetails, findingItem, runItem } from '../exploration/exploration-details.ts';
import { explorationMap } from '../exploration/exploration-map.ts';
import { exploreReader } from '../exploration/live-exploration.ts';
import { signOf, signs } from '../exploration/map-rows.ts';
import { readExploration, shownLive } from '../exploration/shown-exploration.ts';
import type { ShownExploration, ShownPoint } from '../exploration/shown-exploration.ts';
import type { View } from '../ui/view.ts';

const hint =
  'No exploration runs on this simulator. While loyalty-sim explore -- <command> or sim.explore runs, its own dashboard shows the map here; an explore.json of before can be opened too.';

/** Lists the signs in use, each with the number of its points. */
const legend = (points: readonly ShownPoint[]): HTMLElement =>
  h(
    'ul',
    { class: 'legend of-points' },
    signs.flatMap((sign) => {
      const count = points.filter((point) => signOf(point) === sign).length;
      return count === 0
        ? []
        : [h('li', {}, h('span', { class: `point ${sign.status}` }, sign.sign), ` ${count} ${sign.words}`)];
    }),
  );

const wordClass = (word: string): string =>
  /^(?:PASS|FAIL|INCONCLUSIVE)$/.test(word) ? `word ${word.toLowerCase()}` : 'word';

export function exploreView(): View {
  const input = h('input', { type: 'file', accept: '.json,application/json', 'aria-label': 'explore.json' });
  const toLive = button('Back to this simulator', () => openLive(), { hidden: '' });
  const head = h('div', { class: 'head' });
  const news = h('p', { role: 'status', class: 'hidden-label' });
  const details = h('section', {
    class: 'panel cell-details',
    'aria-label': 'Selected points',
    'aria-live': 'polite',
    tabindex: '0',
    hidden: '',
  });
  const findings = h('ul', { class: 'findings' });
  const running = h('ul', { class: 'running' });
  const runs = h('section', {}, h('h3', {}, 'Running now'), running);
  const map = explorationMap(() => {
    showDetails();
    details.scrollIntoView({ block: 'nearest' });
  });
  const aside = h('div', {}, details, h('h3', {}, 'Findings'), findings, runs);
  const body = h('div', { class: 'explored', hidden: '' }, h('div', {}, map.element), aside);
  const none = h('p', { class: 'faint' }, hint);
  const element = h('div', {}, h('p', { class: 'toolbar' }, input, toLive), none, news, head, body);
  let shown: ShownExploration | undefined;
  let isFile = false;

  const goTo = (id: string): void => map.select(id);

  function showDetails(): void {
    const cell = map.selected();
    details.hidden = !cell || !shown;
    if (!cell || !shown) return;
    const state = shown;
    renderValue(details, [cell, state.running.length > 0], () => cellDetails(cell, state, goTo));
  }

  function show(exploration: ShownExploration | undefined): void {
    shown = exploration;
    none.hidden = exploration !== undefined;
    body.hidden = exploration === undefined;
    if (!exploration) {
      replaceContent(head);
      return;
    }
    const { word, reason, points, findings: found, running: inProgress } = exploration;
    runs.hidden = inProgress.length === 0;
    renderValue(head, [word, reason, points], () => [
      h('p', { class: wordClass(word) }, h('bdi', {}, word)),
      h('p', {}, h('bdi', {}, reason)),
      h('p', { class: 'faint' }, `${pluralize(points.length, 'point')}, each a fault at a request:`),
      legend(points),
    ]);
    const summary = pluralize(found.length, 'finding');
    if (news.textContent !== summary) news.textContent = summary;
    renderItems(findings, found, {
      key: ({ id }) => id,
      render: (finding) => findingItem(finding, goTo),
      none: 'Nothing has been found.',
    });
    renderItems(running, inProgress, { key: ({ tenant }) => tenant, render: runItem });
    map.show(points);
    showDetails();
  }

  const reader = exploreReader({
    isWanted: () => element.isConnected && !document.hidden && !isFile,
    onState: (exploration) => show(exploration ? shownLive(exploration) : undefined),
  });
  const openLive = (): void => {
    [isFile, toLive.hidden, input.value] = [false, true, ''];
    show(undefined);
    reader.start();
  };
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (!file) return;
    reader.stop();
    [isFile, toLive.hidden] = [true, false];
    show(undefined);
    void reportErrors(async () => show(readExploration(await file.text(), file.name)));
  });
  addEventListener('hashchange', () => {
    if (!element.isConnected) reader.stop();
  });
  return {
    name: 'explore',
    title: 'Explore',
    element,
    // It waits for changes by itself, and begins again when the connection is back.
    refreshOn: /^stream\.opened$/,
    refresh: () => {
      if (!isFile) reader.start();
    },
  };
}
