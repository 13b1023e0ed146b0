import type { MatchableRequest } from '../../core/exchange/fault-plan.ts';
import { findExcess } from '../../core/validation/extent.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { headerOf, rawQueryOf, urlOf } from '../context.ts';
import type { AppContext } from '../context.ts';

/** Parses the parts of a request when a fault rule first needs them: most rules need few. */
export class IncomingRequest implements MatchableRequest {
  readonly exchange: Exchange;
  readonly endpoint: string | undefined;
  readonly #c: AppContext;
  readonly #text: string;

  constructor(c: AppContext, endpoint: string | undefined, text: string) {
    this.exchange = c.get('exchange');
    this.endpoint = endpoint;
    this.#c = c;
    this.#text = text;
  }

  get params(): Readonly<Record<string, string>> {
    // The routes' own parameter names, decoded by the router.
    return this.#c.req.param() as Record<string, string>;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(rawQueryOf(urlOf(this.#c)));
  }

  get body(): unknown {
    if (this.#text === '') return undefined;
    try {
      const value: unknown = JSON.parse(this.#text);
      // The service rejects it too, and the matchers recurse into each level.
      return findExcess(value) === undefined ? value : undefined;
    } catch {
      return undefined;
    }
  }

  header(name: string): string | undefined {
    return headerOf(this.#c, name);
  }
}
