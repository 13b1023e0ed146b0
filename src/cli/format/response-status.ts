/** What the service answered and what became of it, in a few words. */
interface DeliveredStatus {
  /** What the caller was told. */
  readonly status: number | null | undefined;
  /** What the service answered. */
  readonly responseStatus: number | null | undefined;
  /** How it ended for the caller. */
  readonly end: string | null | undefined;
}

/** `202`, `202 → 504`, `202 → (lost: reset)`, `200 (end: close)`. */
export function formatResponseStatus({ status, responseStatus, end }: DeliveredStatus): string {
  const told = statusWords(status, end);
  return typeof responseStatus === 'number' && responseStatus !== status ? `${responseStatus} → ${told}` : told;
}

function statusWords(status: DeliveredStatus['status'], end: DeliveredStatus['end']): string {
  const how = end === 'client-aborted' ? 'the caller hung up' : undefined;
  if (typeof status !== 'number') return end ? `(${how ?? `lost: ${end}`})` : '---';
  return !end || end === 'normal' ? String(status) : `${status} (${how ?? `end: ${end}`})`;
}
