import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { OperationKey } from '../../core/exchange/operation-key.ts';
import type { Attempt } from './attempt.ts';

/** Describes one exchange of the journal, with what is derived from it alone. */
export interface HistoryEntry {
  readonly exchange: Exchange;
  readonly key: OperationKey;
  /** Is the exchange as its client saw it, as far as one exchange tells. */
  readonly attempt: Attempt;
  readonly endpoint: Endpoint | undefined;
}
