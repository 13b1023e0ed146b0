/** The journal as it grows, and one call of it in full. */
import { callDetail } from './call-detail.ts';
import { callList } from './call-list.ts';
import { attempt, make } from './elements.ts';
import { lineIn, Lines } from './lines.ts';
import type { Told } from './stream.ts';
import { soon } from './view.ts';
import type { View } from './view.ts';

export function callsView(): View {
  const lines = new Lines();
  const { toolbar, list, show, choose } = callList(lines);
  const detail = callDetail();
  let chosen = '';
  const showSoon = soon(() => new Promise((resolve) => requestAnimationFrame(() => resolve(show()))));
  const hear = (told: Told): void => {
    const line = lineIn(told);
    if (line) lines.put(line);
    if (line && line.id === chosen) detail.showSoon();
    if (/^(journal\.cleared|tenant\.replaced|stream\.opened)$/.test(told.event)) lines.clear();
    if (/^(stream\.opened|events\.dropped)$/.test(told.event)) void attempt(() => lines.load()).then(showSoon);
    showSoon();
  };
  return {
    name: 'calls',
    title: 'Calls',
    element: make('div', {}, toolbar, make('div', { class: 'columns' }, list, detail.element)),
    staleBy: /^$/,
    hear,
    refresh: async (about) => {
      chosen = about;
      choose(about);
      await detail.choose(about);
    },
  };
}
