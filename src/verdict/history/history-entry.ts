import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { OperationKey } from '../../core/exchange/operation-key.ts';

/** Describes one exchange of the journal, with what is derived from it alone. */
export interface HistoryEntry {
  readonly exchange: Exchange;
  readonly key: OperationKey;
  readonly endpoint: Endpoint | undefined;
}
