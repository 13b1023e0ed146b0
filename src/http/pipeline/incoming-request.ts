import type { MatchableRequest } from '../../core/exchange/fault-plan.ts';
import { parseWithinBounds } from '../../core/validation/extent.ts';
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
    // What holds too much the service rejects too, and the matchers recurse into each level.
    return this.#text === '' ? undefined : parseWithinBounds(this.#text);
  }

  header(name: string): string | undefined {
    return headerOf(this.#c, name);
  }
}
