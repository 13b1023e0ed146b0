import type { ApiResponse, Endpoint } from '../../core/exchange/endpoint.ts';
import { recordBody } from '../../core/exchange/exchange.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { TenantSettings } from '../../core/tenant/settings.ts';
import { serviceExtent } from '../../core/validation/extent.ts';
import type { ExtentLimits } from '../../core/validation/extent.ts';
import { serviceWording } from '../../core/validation/schema-diagnostics.ts';
import type { Wording } from '../../core/validation/schema-diagnostics.ts';
import type { AppContext } from '../context.ts';
import { isDryRun } from './fault-injection.ts';

/** Says for whom a request is handled, and how strictly its input is read. */
export interface RequestScope<Context> {
  readonly context: Context;
  readonly fieldValidation: TenantSettings['fieldValidation'];
  readonly warn: (code: string, message: string) => void;
  /** Counts so many more warnings of a code of which a thousand were added. */
  readonly warnOfMore: (code: string, more: number) => void;
  readonly assumption: (id: string) => string;
  readonly recordBody: (text: string) => void;
  readonly wording: Wording;
  /** Limits how much its body may hold. */
  readonly extent: ExtentLimits;
}

/** Holds what an endpoint's handler does with its input; while it is long, others may have their turn. */
export interface HandlerWork<Result> {
  readonly handle: () => Result;
  readonly isLong: boolean;
}

/** Adds how an endpoint's handler is carried out as one piece of work. */
export interface TransactionScope<Context, Result> extends RequestScope<Context> {
  readonly transact: (work: HandlerWork<Result>) => Result | Promise<ApiResponse>;
  /** Does the same with input that takes long to read, in turns: requests that come later wait for reading and work. */
  readonly transactInTurns: (reading: Steps<HandlerWork<Result>>) => Promise<ApiResponse>;
}

/** Handles a request for its tenant: records its effects in the exchange, and commits unless a fault wants a dry run. */
export function tenantScopeOf(c: AppContext, endpoint: Endpoint): TransactionScope<TenantContext, ApiResponse> {
  const tenant = c.get('tenant');
  const exchange = c.get('exchange');
  const { sideEffects } = exchange;
  const recorded = sideEffects.assumptions;
  exchange.endpoint = endpoint.id;
  if (endpoint.assumptions) sideEffects.assumptions = endpoint.assumptions;
  for (const id of recorded) sideEffects.recordAssumption(id);
  const finish = (response: ApiResponse): ApiResponse => {
    if (tenant.settings.assumptions['A-75'] !== 'absent') return response;
    sideEffects.recordAssumption('A-75');
    return { ...response, body: withoutNulls(response.body) };
  };
  const isDry = (): boolean => exchange.fault !== undefined && isDryRun(exchange.fault);
  const atOnce = (handle: () => ApiResponse): ApiResponse =>
    isDry() ? tenant.dryRun(handle) : tenant.transact(sideEffects, handle, exchange.id);
  const inSteps = function* ({ handle, isLong }: HandlerWork<ApiResponse>): Steps<ApiResponse> {
    if (!isLong || isDry()) return atOnce(handle);
    return yield* tenant.transactInSteps({ outcome: sideEffects, work: handle, exchange: exchange.id });
  };
  return {
    context: tenant,
    fieldValidation: tenant.settings.fieldValidation,
    warn: (code, message) => sideEffects.warn(code, message),
    warnOfMore: (code, more) => sideEffects.warnOfMore(code, more),
    assumption: (id) => {
      sideEffects.recordAssumption(id);
      return tenant.settings.assumptions[id] ?? 'default';
    },
    recordBody: (text) => recordBody(exchange, text),
    wording: serviceWording,
    extent: serviceExtent,
    transact: (work) => {
      const { handle, isLong } = work;
      const execute = (): ApiResponse | Promise<ApiResponse> =>
        isLong ? tenant.takeInTurns(inSteps(work)) : atOnce(handle);
      const response = tenant.isInTurns ? tenant.afterTurns().then(execute) : execute();
      return response instanceof Promise ? response.then(finish) : finish(response);
    },
    transactInTurns: (reading) =>
      tenant.takeInTurns(
        (function* () {
          const work = yield* reading;
          yield;
          return finish(yield* inSteps(work));
        })(),
      ),
  };
}

/** leaves out the fields that have no value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutNulls(inner)]));
}
