/** Handles the requests of the service: its webhooks, and the point history of a contact. */
import { normalizeGuid } from '../../core/lib/random.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import type { Dependencies } from '../dependencies.ts';
import { redactionMark, redactPayload } from '../redact.ts';
import { PointMasterError, pointMasterError } from '../errors.ts';
import type { PointMasterHttpRequest, PointMasterResponse } from './server.ts';
import { readWebhook } from '../webhook/read-webhook.ts';
import type { VerifiedWebhook } from '../webhook/read-webhook.ts';
import { envelopeSchema, decodeJson } from '../schemas.ts';

/**
 * Verifies and reads a webhook, applies it once and responds. Applying takes no time here; a point master that takes
 * longer stores the event, responds, and applies it afterwards.
 */
export function receiveWebhook(dependencies: Dependencies, request: PointMasterHttpRequest): PointMasterResponse {
  const webhook = readOrLogRejection(dependencies, request);
  const { id, eventType, tenant, isSigned, payload, adjustment } = webhook;
  const at = dependencies.now(tenant);
  const { outcome, balance } = applyWebhook(dependencies, webhook);
  dependencies.log.add({
    event: 'webhook',
    at,
    id,
    eventType,
    tenant,
    outcome,
    signature: isSigned ? 'valid' : 'unchecked',
    payload: dependencies.showsPersonalData ? payload : redactPayload(payload),
    ...(balance !== undefined && { balance }),
  });
  if (outcome !== 'contradicted') return { status: 200, body: { id, outcome } };
  const { contactId, amount } = adjustment ?? {};
  throw pointMasterError(
    'EventIdReused',
    `The event ${id} was applied already, and as another adjustment than ${amount} for ${contactId}; ` +
      'an id is of one event, however often it is sent.',
  );
}

function readOrLogRejection({ contract, log, now }: Dependencies, request: PointMasterHttpRequest): VerifiedWebhook {
  try {
    return readWebhook(request, contract);
  } catch (error) {
    if (error instanceof PointMasterError) {
      const { status, code: reason, message } = error;
      log.add({ event: 'rejected', at: now(contract.tenant ?? ''), status, reason, message });
    }
    throw error;
  }
}

interface ApplyOutcome {
  readonly outcome: 'applied' | 'repeated' | 'contradicted' | 'noted';
  readonly balance?: number | undefined;
}

function applyWebhook({ ledger, now }: Dependencies, { id, tenant, adjustment }: VerifiedWebhook): ApplyOutcome {
  if (!adjustment) return { outcome: 'noted' };
  const { contactId, pointDefinitionId: definitionId, amount, description } = adjustment;
  const change = { tenant, contactId, definitionId, amount, description: description ?? '', at: now(tenant) };
  const outcome = ledger.apply(id, change);
  return { outcome, balance: ledger.account(change)?.balance };
}

/** Returns the tenant that a request of the service names, before the request is verified. */
export const requestedTenant = (
  { contract }: Dependencies,
  { tenant, headers, body }: PointMasterHttpRequest,
): string => tenant ?? headers['x-sim-tenant']?.toString() ?? tenantInBody(body) ?? contract.tenant ?? 'default';

function tenantInBody(body: Buffer): string | undefined {
  if (body.length === 0) return undefined;
  try {
    return envelopeSchema.safeParse(decodeJson(body)).data?.tenant;
  } catch {
    // readWebhook rejects a body that is not JSON.
    return undefined;
  }
}

/** Handles `GET /fetchPointHistory?id=`: returns all transactions of a contact, the oldest first. */
export function getPointHistory(
  { ledger, log, now }: Dependencies,
  { query, headers, tenant: pathTenant }: PointMasterHttpRequest,
): PointMasterResponse {
  const id = query.get('id');
  if (id === null || id === '')
    throw pointMasterError('InvalidInput', 'id is missing: ask for /fetchPointHistory?id=<contact id>.');
  const contactId = normalizeGuid(id) ?? id;
  // A simulator names the tenant; elsewhere the id of a contact is unique by itself.
  const tenant = pathTenant ?? headers['x-sim-tenant']?.toString();
  const entries = ledger.accounts({ contactId, tenant }).flatMap((account) => account.entries);
  log.add({
    event: 'history',
    at: now(tenant ?? ''),
    contactId: normalizeGuid(id) ?? redactionMark,
    items: entries.length,
  });
  const items = entries
    .toSorted((a, b) => a.transactionDate - b.transactionDate)
    .map(({ transactionDate, amount, description }) => ({
      transactionDate: toTimestamp(transactionDate),
      amount,
      description,
    }));
  return { status: 200, body: items };
}
