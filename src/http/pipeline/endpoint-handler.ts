import type { ApiResponse, Endpoint, EndpointInput } from '../../core/exchange/endpoint.ts';
import type { AppContext } from '../context.ts';
import { readBody } from './request-body.ts';
import type { TransactionScope } from './request-scope.ts';
import { sendEventStream, sendJson } from './response.ts';
import { validateInput } from './validate-input.ts';

/** Turns an endpoint into a route: reads the body, validates the input, executes the handler and responds. */
export function createEndpointHandler<Context, Result extends ApiResponse | Promise<ApiResponse>>(
  endpoint: Endpoint<Context, Result>,
  scopeOf: (c: AppContext) => TransactionScope<Context, Result>,
): (c: AppContext) => Promise<Response> {
  const send = endpoint.mediaType === undefined ? sendJson : sendEventStream;
  return async function serve(c) {
    const scope = scopeOf(c);
    const text = endpoint.body ? await readBody(c, endpoint.bodyRules?.unreadable ?? 'InvalidJson') : '';
    if (text !== '') scope.recordBody(text);
    // The schemas that parse the input are the ones that the handler's types come from.
    const input = validateInput(c, endpoint, { scope, text }) as EndpointInput<never, never>;
    return send(c, await scope.transact(() => endpoint.handle(scope.context, input)));
  };
}
