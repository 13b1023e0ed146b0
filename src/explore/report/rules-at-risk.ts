/** Says which rules a client could have broken at a point, so that coverage can tell which ones nothing put to the test. */
import type { RetryClass } from '../../core/exchange/endpoint.ts';
import { endpoints } from '../../service/endpoints.ts';
import { retryRules } from '../../verdict/rules/catalog.ts';
import type { RetryRule } from '../../verdict/rules/retry-rule.ts';
import type { PointFate } from '../coverage.ts';
import { killLevel, webhookLevel } from '../experiment.ts';
import { isRecoverable, probeOf } from '../probes.ts';
import type { Probe } from '../probes.ts';
import { placeOf } from './coverage-table.ts';

interface Risk {
  readonly probe: Probe;
  readonly retry: RetryClass;
  readonly level: number;
}

const retryById: ReadonlyMap<string, RetryClass> = new Map(endpoints.map(({ id, retry }) => [id, retry]));

const isRepeated = ({ probe }: Risk): boolean => probe.kind !== 'rejected';
const isWrite = ({ retry }: Risk): boolean => retry !== 'safe';

/** Rules that no fault of a request puts to the test are left out: they take a restart, see below. */
const risks: Readonly<Record<string, (risk: Risk) => boolean>> = {
  R1: ({ probe }) => isRecoverable(probe),
  R2: ({ probe }) => probe.kind === 'rejected',
  R3: ({ probe }) => probe.id === '400',
  R4: isRepeated,
  R5: (risk) => isRepeated(risk) && risk.retry === 'keyed',
  R6: isRepeated,
  R7: ({ level }) => level === 2 || level === 3,
  R8: isRepeated,
  R9: (risk) => isWrite(risk) && isRepeated(risk),
  R10: (risk) => isWrite(risk) && risk.probe.phase === 'after',
  R11: (risk) => (risk.retry === 'unkeyed' || risk.retry === 'once') && isRecoverable(risk.probe),
  R12: ({ level }) => level === 3,
  R15: ({ probe, retry }) => retry === 'safe' && probe.kind !== 'rejected',
  R16: (risk) => isWrite(risk) && isRepeated(risk),
};

export interface RuleCoverage {
  readonly rule: string;
  readonly title: string;
  /** Counts the points that were tried, and at which a client could have broken it. */
  readonly tried: number;
  /** Counts those at which it was broken. */
  readonly broken: number;
}

const restartRules: ReadonlySet<string> = new Set(['R13', 'R14']);

const triedStatuses: ReadonlySet<string> = new Set(['found', 'tried', 'together', 'kept']);

/** Returns a row for each rule; one with nothing tried was not put to the test. */
export function ruleCoverage(points: readonly PointFate[]): RuleCoverage[] {
  const tried = points
    // What becomes of a webhook is no matter of these rules.
    .filter(({ status, level }) => triedStatuses.has(status) && level !== webhookLevel)
    .map((point) => ({ point, risk: riskOf(point) }));
  return retryRules.map(({ id, title }) => ({
    rule: id,
    title,
    tried: tried.filter(({ risk }) => isAtRisk(id, risk)).length,
    broken: tried.filter(({ point: { broken = [] } }) => broken.some((name) => name.startsWith(`${id} `))).length,
  }));
}

const isAtRisk = (rule: string, risk: Risk | undefined): boolean =>
  risk ? risks[rule]?.(risk) === true : restartRules.has(rule);

/** Returns the rules that a client could break at a point. */
export function rulesAtRisk(point: Pick<PointFate, 'id' | 'level'>): RetryRule[] {
  if (point.level === webhookLevel) return [];
  const risk = riskOf(point);
  return retryRules.filter(({ id }) => isAtRisk(id, risk));
}

/** Returns what a client is exposed to at a point; undefined where it is killed. */
function riskOf({ id, level }: Pick<PointFate, 'id' | 'level'>): Risk | undefined {
  const { endpoint, probe } = placeOf(id);
  return level === killLevel ? undefined : { probe: probeOf(probe), retry: retryById.get(endpoint) ?? 'safe', level };
}
