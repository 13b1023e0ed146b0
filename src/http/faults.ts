import { setMaxListeners } from 'node:events';
import { clockReaches } from '../core/clock-wait.ts';
import type { Endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/errors.ts';
import type { Concern, Fired } from '../core/faults.ts';
import { noise } from '../core/ids.ts';
import { readBody } from './body.ts';
import { IncomingCall } from './call.ts';
import type { AppContext, Delivery } from './context.ts';
import { nothingDelivered } from './cut.ts';
import { faultAnswer } from './fault-answer.ts';
import { pause } from './pause.ts';

interface Served {
  readonly serve: (c: AppContext) => Response | Promise<Response>;
  /** Answers what `serve` throws. */
  readonly answerError: (error: unknown, c: AppContext) => Response;
  readonly endpoint: Endpoint | undefined;
}

/**
 * Asks the tenant's plan whether a fault befalls the call. Before the work, the endpoint is never reached, or only
 * in rehearsal; after it, the work is done. The transport then loses, cuts or spoils what is answered here.
 */
export function withFaults(served: Served): (c: AppContext) => Response | Promise<Response> {
  return function meetFaults(c: AppContext) {
    const { method } = c.req;
    const concern = c.get('tenant').faults.concern(method, served.endpoint?.id);
    if (!concern) return served.serve(c);
    if (concern.readsBody && !isBodiless(method)) return meetByBody(c, served, concern);
    const fired = decide(c, served, concern);
    return fired ? inflictAfterBody(c, fired, served) : served.serve(c);
  };
}

const isBodiless = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** What was sent is noted, however little of it was needed to decide. */
async function inflictAfterBody(c: AppContext, fired: Fired, served: Served): Promise<Response> {
  return (await noteBody(c, served)) === undefined ? served.serve(c) : inflict(c, fired, served);
}

async function meetByBody(c: AppContext, served: Served, concern: Concern): Promise<Response> {
  const text = await noteBody(c, served);
  if (text === undefined) return served.serve(c);
  const fired = decide(c, served, concern, text);
  return fired ? inflict(c, fired, served) : served.serve(c);
}

/** Undefined for a request that never comes in whole: no fault can make that worse. */
async function noteBody(c: AppContext, { endpoint }: Served): Promise<string | undefined> {
  const text = await bodyOf(c, endpoint);
  if (text) c.get('exchange').request.body = text;
  return text;
}

function decide(c: AppContext, { endpoint }: Served, concern: Concern, text = ''): Fired | undefined {
  c.get('exchange').endpoint = endpoint?.id;
  return concern.decide(new IncomingCall(c, endpoint?.id, text), c.get('tenant'));
}

/** Empty when it can't be read: then the endpoint will refuse the call, unless a fault comes before that. */
async function bodyOf(c: AppContext, endpoint: Endpoint | undefined): Promise<string | undefined> {
  if (isBodiless(c.req.method)) return '';
  const reading = readBody(c, endpoint?.bodyRules?.unreadable ?? 'InvalidJson');
  c.set('sentBody', reading);
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isCutOff = error.code === 'PayloadTooLarge' || c.env?.incoming?.destroyed === true;
    return isCutOff ? undefined : '';
  }
}

async function inflict(c: AppContext, fired: Fired, served: Served): Promise<Response> {
  const { fault } = fired;
  const exchange = c.get('exchange');
  exchange.fault = fired;
  c.get('tenant').journal.befallen.tell(exchange);
  const { held } = announce(c, fired);
  if (fault.phase === 'before') await wait(c, fired, held);
  // Whoever held it has gone, and what it was about with it.
  if (held.aborted) return new Response(null);
  const answer = await answerTo(c, fired, served);
  // Nobody has been told anything yet.
  exchange.status = exchange.delivered?.status;
  if (fault.phase === 'after') await wait(c, fired, held);
  return answer;
}

/** A delay passes in real time, or on the tenant's clock. */
function wait(c: AppContext, { fault, delay }: Fired, held: AbortSignal): Promise<void> {
  const tenant = c.get('tenant');
  if (fault.delay?.time !== 'virtual') return pause(delay, held);
  return clockReaches(tenant, tenant.clock.now() + delay, held);
}

/** Lets the transport know what is coming. */
function announce(c: AppContext, fired: Fired): Delivery {
  const [exchange, { held, settings }] = [c.get('exchange'), c.get('tenant')];
  // Any number of calls may be held up at once.
  setMaxListeners(0, held);
  const delivery: Delivery = {
    fired,
    held,
    garbage: (count) => noise(settings.seed, `garbage/${fired.rule}/${fired.hit}`, count),
    left: () => {
      exchange.delivered ??= nothingDelivered('client');
    },
  };
  c.env?.befall?.(delivery);
  return delivery;
}

/** The answer of which something goes out, or nothing: the service's, a rehearsed one, or the fault's own. */
async function answerTo(c: AppContext, fired: Fired, { serve, answerError, endpoint }: Served): Promise<Response> {
  const exchange = c.get('exchange');
  const { fault } = fired;
  const isServed = fault.phase === 'after' || fault.respond === 'full' || needsAnswer(fired);
  const served = isServed ? await caught(c, { serve, answerError }) : undefined;
  if (isRehearsal(fired)) exchange.answer = undefined;
  return served === undefined || fault.status !== undefined ? faultAnswer(c, fault, endpoint) : served;
}

/** A fault befalls a call just as well when the service refuses it. */
async function caught(c: AppContext, { serve, answerError }: Omit<Served, 'endpoint'>): Promise<Response> {
  try {
    return await serve(c);
  } catch (error) {
    return answerError(error, c);
  }
}

/** Whether some of a real answer goes out. */
const needsAnswer = ({ fault: { respond, status } }: Fired): boolean =>
  status === undefined && (respond === 'headers' || respond === 'partial' || respond === 'bad-chunk');

/** Whether the endpoint only says what it would answer, and nothing happens. */
export const isRehearsal = ({ fault }: Fired): boolean => fault.phase === 'before' && fault.respond !== 'full';
