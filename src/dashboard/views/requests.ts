/** Shows the journal as it grows, and one of its requests in full. */
import { requestDetail } from './request-detail.ts';
import { requestList } from './request-list.ts';
import { reportErrors, h } from '../ui/elements.ts';
import { exchangeInEvent, RequestLog } from '../api/request-log.ts';
import type { ReceivedEvent } from '../api/event-stream.ts';
import { coalesce } from '../ui/view.ts';
import type { View } from '../ui/view.ts';

export function requestsView(): View {
  const lines = new RequestLog();
  const { toolbar, list, show, choose } = requestList(lines);
  const detail = requestDetail();
  let chosen = '';
  const showSoon = coalesce(() => new Promise((resolve) => requestAnimationFrame(() => resolve(show()))));
  const onEvent = (event: ReceivedEvent): void => {
    const line = exchangeInEvent(event);
    if (line) lines.put(line);
    if (line && line.id === chosen) detail.showSoon();
    if (/^(journal\.cleared|tenant\.replaced|stream\.opened)$/.test(event.event)) lines.clear();
    if (/^(stream\.opened|events\.dropped)$/.test(event.event)) void reportErrors(() => lines.load()).then(showSoon);
    showSoon();
  };
  return {
    name: 'requests',
    title: 'Requests',
    element: h('div', {}, toolbar, h('div', { class: 'columns' }, list, detail.element)),
    refreshOn: /^$/,
    onEvent,
    refresh: async (about) => {
      chosen = about;
      choose(about);
      await detail.choose(about);
    },
  };
}
