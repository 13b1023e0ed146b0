import type { ApiResponse, Endpoint, EndpointInput } from '../../core/exchange/endpoint.ts';
import type { AppContext, Handler } from '../context.ts';
import { readBody } from './request-body.ts';
import type { TransactionScope } from './request-scope.ts';
import { sendEventStream, sendJson } from './response.ts';
import { validateInput } from './validate-input.ts';

/** Turns an endpoint into a route: reads the body, validates the input, executes the handler and responds. */
export function createEndpointHandler<Context, Result extends ApiResponse | Promise<ApiResponse>>(
  endpoint: Endpoint<Context, Result>,
  scopeOf: (c: AppContext) => TransactionScope<Context, Result>,
): Handler {
  const send = endpoint.mediaType === undefined ? sendJson : sendEventStream;
  const respond = (
    c: AppContext,
    scope: TransactionScope<Context, Result>,
    text: string,
  ): Response | Promise<Response> => {
    if (text !== '') scope.recordBody(text);
    // The schemas that parse the input are the ones that the handler's types come from.
    const input = validateInput(c, endpoint, { scope, text }) as EndpointInput<never, never>;
    const result: ApiResponse | Promise<ApiResponse> = scope.transact(
      () => endpoint.handle(scope.context, input),
      endpoint.isLong?.(input.body) === true,
    );
    return result instanceof Promise ? result.then((response) => send(c, response)) : send(c, result);
  };
  return function serve(c) {
    const scope = scopeOf(c);
    if (!endpoint.body) return respond(c, scope, '');
    return readBody(c, endpoint.bodyRules?.unreadable ?? 'InvalidJson').then((text) => respond(c, scope, text));
  };
}
