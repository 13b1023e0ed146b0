import type { AsyncEndpoint } from '../core/exchange/endpoint.ts';
import { metaEndpoints } from './meta.ts';
import { contactCardEndpoints } from './contacts/contact-card.ts';
import { contactListEndpoints } from './contacts/contact-list.ts';
import { contactPointsEndpoints } from './contacts/contact-points.ts';
import { clockEndpoints } from './clock.ts';
import type { AdminContext } from './input/admin-context.ts';
import { eventEndpoints } from './events/events.ts';
import { explorationEndpoints } from './exploration.ts';
import { faultEndpoints } from './faults.ts';
import { importFaultEndpoints } from './import-faults.ts';
import { importEndpoints } from './imports.ts';
import { queueEndpoints } from './queue.ts';
import { curlEndpoints } from './request-actions/curl.ts';
import { replayEndpoints } from './request-actions/replay.ts';
import { requestScenarioEndpoints } from './request-actions/request-scenario.ts';
import { requestEndpoints } from './requests.ts';
import { resetEndpoints } from './reset.ts';
import { scenarioEndpoints } from './scenario.ts';
import { snapshotEndpoints } from './snapshots.ts';
import { tenantEndpoints } from './tenants.ts';
import { timelineEndpoints } from './views/timeline.ts';
import { triggerEndpoints } from './trigger.ts';
import { webhookFaultEndpoints } from './webhook-faults.ts';
import { webhookReportEndpoints } from './webhook-report.ts';
import { webhookEndpoints } from './webhooks.ts';
import { verifyEndpoints } from './verify.ts';

export const adminEndpoints: readonly AsyncEndpoint<AdminContext>[] = [
  ...metaEndpoints,
  ...tenantEndpoints,
  ...resetEndpoints,
  ...requestEndpoints,
  ...curlEndpoints,
  ...replayEndpoints,
  ...requestScenarioEndpoints,
  ...timelineEndpoints,
  ...eventEndpoints,
  ...clockEndpoints,
  ...queueEndpoints,
  ...snapshotEndpoints,
  ...triggerEndpoints,
  ...faultEndpoints,
  ...scenarioEndpoints,
  ...webhookEndpoints,
  ...verifyEndpoints,
  ...importEndpoints,
  ...importFaultEndpoints,
  ...contactListEndpoints,
  ...contactCardEndpoints,
  ...contactPointsEndpoints,
  ...webhookReportEndpoints,
  ...webhookFaultEndpoints,
  ...explorationEndpoints,
];
