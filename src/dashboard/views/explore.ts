/** Shows the explore.json of `loyalty-sim explore` as a map; the file stays in the browser. */
import { h, replaceContent, reportErrors } from '../ui/elements.ts';
import { explorationMap, readExploration } from '../exploration/exploration-map.ts';
import type { View } from '../ui/view.ts';

const hint =
  'loyalty-sim explore runs your client in a simulator of its own, and writes explore.json with --report json. Open that file here.';

export function exploreView(): View {
  const input = h('input', { type: 'file', accept: '.json,application/json', 'aria-label': 'explore.json' });
  const map = h('div', { role: 'status' });
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (!file) return;
    replaceContent(map);
    void reportErrors(async () => replaceContent(map, explorationMap(readExploration(await file.text(), file.name))));
  });
  return {
    name: 'explore',
    title: 'Explore',
    element: h('div', {}, h('p', { class: 'faint' }, hint), h('p', { class: 'toolbar' }, input), map),
    // Nothing that happens in this simulator changes a file.
    refreshOn: /^$/,
    refresh: () => {},
  };
}
