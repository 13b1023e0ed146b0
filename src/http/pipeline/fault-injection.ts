import { setMaxListeners } from 'node:events';
import { waitForClock } from '../../core/time/clock-wait.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { ApiError } from '../../core/exchange/api-error.ts';
import type { FaultSelector } from '../../core/exchange/fault-plan.ts';
import type { Fault, InjectedFault } from '../../core/exchange/fault.ts';
import { faultKindOf } from '../../faults/fault-kinds.ts';
import type { ResponseSource } from '../../faults/kinds/fault-kind.ts';
import { seededBytes } from '../../core/lib/random.ts';
import { readBody } from './request-body.ts';
import { IncomingRequest } from './incoming-request.ts';
import type { AppContext, PendingFault } from '../context.ts';
import { nothingDelivered } from '../transport/wire-plan.ts';
import { faultResponse } from './fault-response.ts';
import { sleep } from '../transport/sleep.ts';

interface FaultableRoute {
  readonly serve: (c: AppContext) => Response | Promise<Response>;
  /** Answers what `serve` throws. */
  readonly answerError: (error: unknown, c: AppContext) => Response;
  readonly endpoint: Endpoint | undefined;
}

/**
 * Asks the tenant's plan whether a fault befalls the call. Before the work, the endpoint is never reached, or only
 * in rehearsal; after it, the work is done. The transport then loses, cuts or spoils what is answered here.
 */
export function withFaults(served: FaultableRoute): (c: AppContext) => Response | Promise<Response> {
  return function meetFaults(c: AppContext) {
    const { method } = c.req;
    const concern = c.get('tenant').faults.selectorFor(method, served.endpoint?.id);
    if (!concern) return served.serve(c);
    if (concern.readsBody && !isBodilessMethod(method)) return injectByBody(c, served, concern);
    const fired = decideFault(c, served, concern);
    return fired ? injectAfterBody(c, fired, served) : served.serve(c);
  };
}

const isBodilessMethod = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** What was sent is noted, however little of it was needed to decide. */
async function injectAfterBody(c: AppContext, fired: InjectedFault, served: FaultableRoute): Promise<Response> {
  return (await recordRequestBody(c, served)) === undefined ? served.serve(c) : injectFault(c, fired, served);
}

async function injectByBody(c: AppContext, served: FaultableRoute, concern: FaultSelector): Promise<Response> {
  const text = await recordRequestBody(c, served);
  if (text === undefined) return served.serve(c);
  const fired = decideFault(c, served, concern, text);
  return fired ? injectFault(c, fired, served) : served.serve(c);
}

/** Undefined for a request that never comes in whole: no fault can make that worse. */
async function recordRequestBody(c: AppContext, { endpoint }: FaultableRoute): Promise<string | undefined> {
  const text = await readAvailableBody(c, endpoint);
  if (text) c.get('exchange').request.body = text;
  return text;
}

function decideFault(
  c: AppContext,
  { endpoint }: FaultableRoute,
  concern: FaultSelector,
  text = '',
): InjectedFault | undefined {
  c.get('exchange').endpoint = endpoint?.id;
  return concern.selectFault(new IncomingRequest(c, endpoint?.id, text), c.get('tenant'));
}

/** Empty when it can't be read: then the endpoint will refuse the call, unless a fault comes before that. */
async function readAvailableBody(c: AppContext, endpoint: Endpoint | undefined): Promise<string | undefined> {
  if (isBodilessMethod(c.req.method)) return '';
  const reading = readBody(c, endpoint?.bodyRules?.unreadable ?? 'InvalidJson');
  c.set('sentBody', reading);
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isCutOff = error.code === 'PayloadTooLarge' || c.env?.incoming?.destroyed === true;
    return isCutOff ? undefined : '';
  }
}

async function injectFault(c: AppContext, fired: InjectedFault, served: FaultableRoute): Promise<Response> {
  const { fault } = fired;
  const exchange = c.get('exchange');
  exchange.fault = fired;
  c.get('tenant').journal.faulted.emit(exchange);
  const { released: held } = announceFault(c, fired);
  if (fault.phase === 'before') await awaitFaultDelay(c, fired, held);
  // Whoever held it has gone, and what it was about with it.
  if (held.aborted) return new Response(null);
  const answer = await faultedResponse(c, fired, served);
  // Nobody has been told anything yet.
  exchange.status = exchange.delivered?.status;
  if (fault.phase === 'after') await awaitFaultDelay(c, fired, held);
  return answer;
}

/** A delay passes in real time, or on the tenant's clock. */
function awaitFaultDelay(c: AppContext, { fault, delay }: InjectedFault, held: AbortSignal): Promise<void> {
  const tenant = c.get('tenant');
  if (fault.delay?.time !== 'virtual') return sleep(delay, held);
  return waitForClock(tenant, tenant.clock.now() + delay, held);
}

/** Lets the transport know what is coming. */
function announceFault(c: AppContext, fired: InjectedFault): PendingFault {
  const [exchange, { holdSignal: held, settings }] = [c.get('exchange'), c.get('tenant')];
  // Any number of calls may be held up at once.
  setMaxListeners(0, held);
  const delivery: PendingFault = {
    fired,
    released: held,
    garbage: (count) => seededBytes(settings.seed, `garbage/${fired.rule}/${fired.hit}`, count),
    onClientGone: () => {
      exchange.delivered ??= nothingDelivered('client-aborted');
    },
  };
  c.env?.onFaultDecided?.(delivery);
  return delivery;
}

/** The answer of which something goes out, or nothing: the service's, a rehearsed one, or the fault's own. */
async function faultedResponse(
  c: AppContext,
  fired: InjectedFault,
  { serve, answerError, endpoint }: FaultableRoute,
): Promise<Response> {
  const exchange = c.get('exchange');
  const { fault } = fired;
  const isServed = fault.phase === 'after' || sourceOf(fault) === 'service' || needsServiceResponse(fault);
  const served = isServed ? await serveCatchingErrors(c, { serve, answerError }) : undefined;
  if (isDryRun(fired)) exchange.response = undefined;
  return served === undefined || fault.status !== undefined ? faultResponse(c, fault, endpoint) : served;
}

/** A fault befalls a call just as well when the service refuses it. */
async function serveCatchingErrors(
  c: AppContext,
  { serve, answerError }: Omit<FaultableRoute, 'endpoint'>,
): Promise<Response> {
  try {
    return await serve(c);
  } catch (error) {
    return answerError(error, c);
  }
}

const sourceOf = ({ respond }: Fault): ResponseSource => faultKindOf(respond).source;

/** True when some of the service's response goes out. */
const needsServiceResponse = (fault: Fault): boolean => fault.status === undefined && sourceOf(fault) === 'either';

/** True when the endpoint only says what it would respond, and nothing happens. */
export const isDryRun = ({ fault }: InjectedFault): boolean =>
  fault.phase === 'before' && sourceOf(fault) !== 'service';
