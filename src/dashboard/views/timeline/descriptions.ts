/** Says in a line of text what the timeline shows. */
import type { ShownOperation } from '../../api/api-types.ts';
import { formatLength } from '../../../format/timeline.ts';
import { pluralize } from '../../ui/elements.ts';
import { durationText, timeText } from './time-axis.ts';
import type { ClockMark } from './lanes.ts';
import type { TimelineRow, WebhookMark } from './timeline-rows.ts';

const outcomeWords = {
  'in-flight': 'in flight',
  ok: 'success',
  rejected: 'rejected',
  'server-error': 'server error',
  'no-response': 'no response',
} as const;

const phaseWords = { none: undefined, before: 'fault before the work', after: 'fault after the work' } as const;

export function describeRow(row: TimelineRow, operation: ShownOperation | undefined, origin: number): string {
  const place = operation?.attempts.findIndex(({ request }) => request === row.id) ?? -1;
  const attempt = operation && place >= 0 && operation.attempts.length > 1;
  return [
    `${row.id}: ${row.endpoint}`,
    attempt && `attempt ${place + 1} of ${operation.attempts.length}`,
    outcomeWords[row.outcome],
    row.ms !== undefined && `after ${durationText(row.ms)}`,
    phaseWords[row.phase],
    row.effects === 0 ? 'changed nothing' : pluralize(row.effects, 'effect'),
    row.warnings > 0 && pluralize(row.warnings, 'warning'),
    timeText(row, origin),
  ]
    .filter(Boolean)
    .join(' · ');
}

export const describeWebhook = ({ eventType, status, fault, exchange }: WebhookMark): string =>
  [
    `webhook ${eventType}`,
    status === null ? 'no response' : `status ${status}`,
    fault !== null && `fault ${fault}`,
    exchange !== null && `caused by ${exchange}`,
  ]
    .filter(Boolean)
    .join(' · ');

export const describeClockMark = ({ by, row }: ClockMark): string =>
  `the clock was moved by ${formatLength(by)} before ${row.id}`;
