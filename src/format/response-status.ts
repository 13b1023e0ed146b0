/** Says in a few words what the service responded and what the client received of it. */

interface DeliveredStatus {
  /** Holds the status that the client received. */
  readonly status: number | null | undefined;
  /** Holds the status of the service's response. */
  readonly responseStatus: number | null | undefined;
  /** Says how the delivery ended: normal, close, reset, hang or client-aborted. */
  readonly end: string | null | undefined;
}

/** Returns `202`, `202 → 504`, `202 → (lost: reset)` or `200 (end: close)`. */
export function formatResponseStatus({ status, responseStatus, end }: DeliveredStatus): string {
  const delivered = formatDelivered(status, end);
  return typeof responseStatus === 'number' && responseStatus !== status
    ? `${responseStatus} → ${delivered}`
    : delivered;
}

function formatDelivered(status: DeliveredStatus['status'], end: DeliveredStatus['end']): string {
  const how = end === 'client-aborted' ? 'the client hung up' : undefined;
  if (typeof status !== 'number') return end ? `(${how ?? `lost: ${end}`})` : '---';
  return !end || end === 'normal' ? String(status) : `${status} (${how ?? `end: ${end}`})`;
}
