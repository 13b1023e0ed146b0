/** Whether the point master did right, where the service follows one. */
import type { Tenant } from '../core/tenant/tenant.ts';
import { isPointFollower } from '../service/points/point-follower.ts';
import { auditPointMaster } from '../webhooks/audit/audit.ts';
import type { AuditReport } from '../webhooks/audit/report.ts';
import type { Check } from './verdict.ts';

/** One check when points were adjusted, none otherwise. What the report leaves open is told, and fails nothing. */
export function checkPointMaster(tenant: Tenant): Check[] {
  if (!isPointFollower(tenant)) return [];
  const report = auditPointMaster(tenant);
  if (report.adjustments.total === 0) return [];
  const isFailed = report.verdict === 'FAIL';
  return [
    {
      description: 'the point master follows adjustments with the right balances',
      verdict: isFailed ? 'FAIL' : 'PASS',
      reason: isFailed ? summarizeFindings(report, 'fails') : standingOf(report),
      calls: [],
    },
  ];
}

function standingOf(report: AuditReport): string {
  const { shown, total } = report.adjustments;
  const open = summarizeFindings(report, 'leaves open');
  return `its balances show ${shown} of ${total}${open === '' ? '' : `; still open: ${open}`}`;
}

const maxTold = 3;

function summarizeFindings({ findings }: AuditReport, weighs: AuditReport['findings'][number]['weighs']): string {
  const messages = findings.filter((finding) => finding.weighs === weighs).map(({ message }) => message);
  const told = messages.slice(0, maxTold).join(' ');
  const more = messages.length - maxTold;
  return more > 0 ? `${told} GET /__admin/webhooks/report tells ${more} more.` : told;
}
