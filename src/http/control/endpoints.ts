/** The endpoints of the control API (design.md §7). */
import type { Endpoint } from '../../core/endpoint.ts';
import { aboutEndpoints } from './about.ts';
import { cardEndpoints } from './card.ts';
import { clockEndpoints } from './clock.ts';
import type { Control } from './control.ts';
import { eventEndpoints } from './events.ts';
import { faultEndpoints } from './faults.ts';
import { queueEndpoints } from './queue.ts';
import { requestEndpoints } from './requests.ts';
import { resetEndpoints } from './reset.ts';
import { scenarioEndpoints } from './scenario.ts';
import { snapshotEndpoints } from './snapshots.ts';
import { tenantEndpoints } from './tenants.ts';
import { triggerEndpoints } from './trigger.ts';
import { webhookFaultEndpoints } from './webhook-faults.ts';
import { webhookReportEndpoints } from './webhook-report.ts';
import { webhookEndpoints } from './webhooks.ts';
import { verifyEndpoints } from './verify.ts';

export const controlEndpoints: readonly Endpoint<Control>[] = [
  ...aboutEndpoints,
  ...tenantEndpoints,
  ...resetEndpoints,
  ...requestEndpoints,
  ...eventEndpoints,
  ...clockEndpoints,
  ...queueEndpoints,
  ...snapshotEndpoints,
  ...triggerEndpoints,
  ...faultEndpoints,
  ...scenarioEndpoints,
  ...webhookEndpoints,
  ...verifyEndpoints,
  ...cardEndpoints,
  ...webhookReportEndpoints,
  ...webhookFaultEndpoints,
];
