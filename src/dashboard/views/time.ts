/** Shows the clock, the queue and executed jobs. */
import { button, chip, replaceContent, collapsible, json, requestLink, h, pluralize, section } from '../ui/elements.ts';
import { moment } from '../ui/moments.ts';
import { clockPanel, executedJobList } from './clock-panel.ts';
import { renderItems } from '../ui/items.ts';
import { requestTenant } from '../api/client.ts';
import type { ClockJson, JobJson, QueueSizesJson } from '../api/api-types.ts';
import type { View } from '../ui/view.ts';

const controlQueue = (how: object): Promise<unknown> => requestTenant('POST', '/queue', { body: how });

const jobItem = ({ id, kind, status, dueAt, exchange, payload, error, failsBy }: JobJson): HTMLElement =>
  h(
    'li',
    { class: 'card' },
    h(
      'p',
      {},
      h('strong', {}, kind),
      ` job ${id} `,
      chip(status, status),
      status === 'queued' && [' due ', moment(dueAt)],
      exchange !== null && [' for ', requestLink(exchange)],
      failsBy !== null && ` will fail by the rule ${failsBy}`,
    ),
    error !== null && h('p', { class: 'error' }, error),
    collapsible('payload', h('pre', {}, json(payload))),
    status === 'queued' && button('Let it fail', () => controlQueue({ fail: id })),
  );

export function timeView(onChange: (face: ClockJson) => void): View {
  const sizes = h('p', { role: 'status' });
  const list = h('ul', { class: 'cards' });
  const past = executedJobList();
  const buttons = h(
    'p',
    { class: 'actions' },
    button('Hold', () => controlQueue({ hold: true }), {
      title: 'Executes nothing until a step, a drain or a release',
    }),
    button('Release', () => controlQueue({ release: true })),
    button('Step', () => controlQueue({ step: true }), { title: 'Executes the next job, due or not' }),
    button('Drain', () => controlQueue({ drain: true }), { title: 'Executes all jobs, due or not' }),
    button('Fail next', () => controlQueue({ fail: true })),
  );
  return {
    name: 'time',
    title: 'Time and queue',
    element: h(
      'div',
      { class: 'two' },
      h('div', {}, section('Clock', clockPanel(onChange)), section('Executed jobs', past.list)),
      section('Queue', buttons, sizes, list),
    ),
    refreshOn: /^(queue|job|clock|state|snapshot|tenant|stream)/,
    onEvent: past.hear,
    refresh: async () => {
      past.show();
      const { jobs, held, queued, failed } = await requestTenant<QueueSizesJson & { jobs: JobJson[] }>('GET', '/queue');
      replaceContent(
        sizes,
        held && [chip('held', 'frozen'), ' '],
        `${queued} queued, ${failed} failed`,
        jobs.length < queued + failed && `, ${pluralize(jobs.length, 'job')} shown`,
      );
      renderItems(list, jobs, { key: ({ id }) => id, render: jobItem, none: 'No job is waiting.' });
    },
  };
}
