/** Whether the point master did right, where the service follows one. */
import type { FindingLevel } from '../core/validation/finding.ts';
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
      reason: isFailed ? summarizeFindings(report, 'fail') : standingOf(report),
      requests: [],
    },
  ];
}

function standingOf(report: AuditReport): string {
  const { shown, total } = report.adjustments;
  const open = summarizeFindings(report, 'inconclusive');
  return `its balances show ${shown} of ${total}${open === '' ? '' : `; still open: ${open}`}`;
}

const maxListed = 3;

function summarizeFindings({ findings }: AuditReport, level: FindingLevel): string {
  const messages = findings.filter((finding) => finding.level === level).map(({ message }) => message);
  const listed = messages.slice(0, maxListed).join(' ');
  const more = messages.length - maxListed;
  return more > 0 ? `${listed} GET /__admin/webhooks/report lists ${more} more.` : listed;
}
