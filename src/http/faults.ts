import { STATUS_CODES } from 'node:http';
import { after, monotonic } from '../core/clock.ts';
import type { Endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/errors.ts';
import type { Call, Delivered, Fired } from '../core/faults.ts';
import { readBody } from './body.ts';
import { headerOf, rawQueryOf, urlOf } from './context.ts';
import type { AppContext } from './context.ts';
import { sendText } from './send.ts';

type Serve = (c: AppContext) => Response | Promise<Response>;

/**
 * Asks the tenant's plan whether a fault befalls the call. Before the work, the endpoint is never reached, or only
 * in rehearsal; after it, the answer is marked, and the transport loses, cuts or delays it.
 */
export function withFaults(serve: Serve, endpoint?: Endpoint): (c: AppContext) => Promise<Response> {
  return async function meetFaults(c: AppContext) {
    const { faults } = c.get('tenant');
    if (faults.isEmpty) return serve(c);
    const fired = faults.decide(await callOf(c, endpoint));
    return fired ? inflict(c, fired, serve) : serve(c);
  };
}

async function callOf(c: AppContext, endpoint: Endpoint | undefined): Promise<Call> {
  const exchange = c.get('exchange');
  exchange.endpoint = endpoint?.id;
  const text = await bodyOf(c, endpoint);
  if (text !== '') exchange.request.body = text;
  return {
    exchange,
    endpoint: endpoint?.id,
    // The routes' own parameter names, decoded by the router.
    params: c.req.param() as Record<string, string>,
    query: new URLSearchParams(rawQueryOf(urlOf(c))),
    header: (name) => headerOf(c, name),
    get body() {
      return parsed(text);
    },
  };
}

/** Empty when it can't be read: then the endpoint will refuse the call, unless a fault comes before that. */
async function bodyOf(c: AppContext, endpoint: Endpoint | undefined): Promise<string> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return '';
  const reading = readBody(c, endpoint?.bodyRules?.unreadable ?? 'InvalidJson');
  c.set('sentBody', reading);
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Refusal) return '';
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function inflict(c: AppContext, fired: Fired, serve: Serve): Promise<Response> {
  const [exchange, tenant] = [c.get('exchange'), c.get('tenant')];
  const { held } = tenant;
  exchange.fault = fired;
  c.env.delivery = { fired, held, done: (delivered) => noteDelivery(c, delivered) };
  const { phase, respond, status } = fired.fault;
  if (phase === 'before') await pass(fired.delay, held);
  // Whoever held it has gone, and what it was about with it.
  if (held.aborted) return new Response(null);
  if (phase === 'before' && respond !== 'full') {
    const begun = status === undefined && isBegun(fired) ? await serve(c) : tell(c, fired);
    exchange.answer = undefined;
    return begun;
  }
  const answer = await serve(c);
  if (phase === 'after') await pass(fired.delay, held);
  if (respond !== 'status') return answer;
  const { answer: made } = exchange;
  const told = tell(c, fired);
  exchange.answer = made;
  return told;
}

function noteDelivery(c: AppContext, delivered: Delivered): void {
  const exchange = c.get('exchange');
  exchange.delivered = delivered;
  exchange.status = delivered.status;
  exchange.finishedAt = monotonic();
  c.get('tenant').journal.settle(exchange);
}

/** Whether some of an answer goes out, so that there must be one. */
const isBegun = ({ fault: { respond } }: Fired): boolean =>
  respond === 'headers' || respond === 'partial' || respond === 'bad-chunk';

/** Whether the endpoint only says what it would answer, and nothing happens. */
export const isRehearsal = ({ fault }: Fired): boolean => fault.phase === 'before' && fault.respond !== 'full';

/** The answer of the fault's own. */
function tell(c: AppContext, { fault: { status = 500, body, headers } }: Fired): Response {
  const own = body ?? faultBody(status, c.get('exchange').id);
  return sendText(c, { status, headers, text: typeof own === 'string' ? own : JSON.stringify(own) });
}

/** The service's own error body. */
function faultBody(status: number, requestId: string): object {
  if (status < 400) return {};
  const reason = STATUS_CODES[status] ?? `Status ${status}`;
  return { errorCode: reason.replaceAll(/[^A-Za-z]/g, ''), message: `${reason}.`, requestId };
}

function pass(milliseconds: number, held: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || held.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      callOff();
      resolve();
    };
    const callOff = after(milliseconds, end);
    held.addEventListener('abort', end, { once: true });
  });
}
