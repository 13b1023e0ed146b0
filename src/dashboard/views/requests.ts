/** Shows the journal as it grows, and one of its requests in full. */
import { requestDetail } from './request-detail.ts';
import { requestList } from './request-list.ts';
import { h } from '../ui/elements.ts';
import type { View } from '../ui/view.ts';

/** Matches the events after which a list of requests is out of date. */
export const requestEvents = /^(request|rule\.fired|journal|state|snapshot|tenant\.replaced|stream)/;

export function requestsView(): View {
  const { toolbar, filters, all, list, refresh, choose } = requestList('requests');
  toolbar.append(filters, all);
  const detail = requestDetail('requests');
  return {
    name: 'requests',
    title: 'Requests',
    element: h('div', { class: 'fill' }, toolbar, h('div', { class: 'columns' }, list, detail.element)),
    refreshOn: requestEvents,
    refresh: async (about) => {
      choose(about);
      await Promise.all([refresh(), detail.show(about)]);
    },
  };
}
