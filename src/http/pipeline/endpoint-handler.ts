import type { ApiResponse, Endpoint, EndpointInput } from '../../core/exchange/endpoint.ts';
import type { AppContext, Handler } from '../context.ts';
import type { Steps } from '../../core/time/steps.ts';
import { readLongBody } from './long-body.ts';
import { readBody } from './request-body.ts';
import type { HandlerWork, TransactionScope } from './request-scope.ts';
import { sendEventStream, sendJsonInTurns } from './response.ts';
import { validateInput } from './validate-input.ts';
import type { SentBody } from './long-body.ts';

/** Turns an endpoint into a route: reads the body, validates the input, executes the handler and responds. */
export function createEndpointHandler<Context, Result extends ApiResponse | Promise<ApiResponse>>(
  endpoint: Endpoint<Context, Result>,
  scopeOf: (c: AppContext) => TransactionScope<Context, Result>,
): Handler {
  const send = endpoint.mediaType === undefined ? sendJsonInTurns : sendEventStream;
  const workOn = (c: AppContext, scope: TransactionScope<Context, Result>, sent: SentBody): HandlerWork<Result> => {
    if (sent.text !== '') scope.recordBody(sent.text);
    // The schemas that parse the input are the ones that the handler's types come from.
    const input = validateInput(c, endpoint, { scope, sent }) as EndpointInput<never, never>;
    // A few items may hold as much as many.
    const isLong = endpoint.isLong !== undefined && (sent.looks !== undefined || endpoint.isLong(input.body));
    return { handle: () => endpoint.handle(scope.context, input), isLong };
  };
  const respond = (
    c: AppContext,
    scope: TransactionScope<Context, Result>,
    sent: SentBody,
  ): Response | Promise<Response> => {
    const result: ApiResponse | Promise<ApiResponse> = scope.transact(workOn(c, scope, sent));
    return result instanceof Promise ? result.then((response) => send(c, response)) : send(c, result);
  };
  const readLong = function* (
    c: AppContext,
    scope: TransactionScope<Context, Result>,
    text: string,
  ): Steps<HandlerWork<Result>> {
    return workOn(c, scope, yield* readLongBody(endpoint, text, scope));
  };
  return function serve(c) {
    const scope = scopeOf(c);
    if (!endpoint.body) return respond(c, scope, { text: '' });
    return readBody(c, endpoint.bodyRules?.unreadable ?? 'InvalidJson').then((text) =>
      scope.extent.isLong(text)
        ? scope.transactInTurns(readLong(c, scope, text)).then((response) => send(c, response))
        : respond(c, scope, { text }),
    );
  };
}
