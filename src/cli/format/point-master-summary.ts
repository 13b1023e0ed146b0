import type { PointMasterLogEntry } from '../../point-master/event-log.ts';

/** What there is to say of a point master's run when it ends. */
export class PointMasterSummary {
  readonly #counts = { applied: 0, repeated: 0, noted: 0, refused: 0, sent: 0, failed: 0 };

  count(entry: PointMasterLogEntry): void {
    if (entry.event === 'refused') this.#counts.refused++;
    if (entry.event === 'sync') this.#counts[entry.outcome]++;
    if (entry.event === 'webhook') this.#counts[entry.outcome === 'contradicted' ? 'refused' : entry.outcome]++;
  }

  toJSON(): object {
    return { event: 'summary', ...this.#counts };
  }

  line(): string {
    const { applied, repeated, noted, refused, sent, failed } = this.#counts;
    const webhooks = `webhooks: ${applied} applied, ${repeated} repeated, ${noted} noted, ${refused} refused`;
    return `${webhooks}; syncs: ${sent} sent, ${failed} failed`;
  }
}
