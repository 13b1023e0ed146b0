/** What the service calls: its webhook, and the history of a contact. */
import { normalizeGuid } from '../../core/lib/random.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import type { Dependencies } from '../dependencies.ts';
import { redactionMark, redactPayload } from '../redact.ts';
import { PointMasterError, pointMasterError } from '../errors.ts';
import type { PointMasterRequest, PointMasterResponse } from './server.ts';
import { readWebhook } from '../webhook/read-webhook.ts';
import type { VerifiedWebhook } from '../webhook/read-webhook.ts';
import { envelopeSchema, decodeJson } from '../schemas.ts';

/**
 * Takes a webhook in: checked, read, applied once, answered at once. Applying here is a matter of memory; a master that
 * takes longer answers first, and remembers the event before it does.
 */
export function receiveWebhook(parts: Dependencies, call: PointMasterRequest): PointMasterResponse {
  const webhook = tryToRead(parts, call);
  const { id, eventType, tenant, isSigned, payload, adjustment } = webhook;
  const at = parts.now(tenant);
  const { outcome, balance } = applied(parts, webhook);
  parts.log.add({
    event: 'webhook',
    at,
    id,
    eventType,
    tenant,
    outcome,
    signature: isSigned ? 'valid' : 'unchecked',
    payload: parts.showsPersonalData ? payload : redactPayload(payload),
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

function tryToRead({ contract, log, now }: Dependencies, call: PointMasterRequest): VerifiedWebhook {
  try {
    return readWebhook(call, contract);
  } catch (error) {
    if (error instanceof PointMasterError) {
      const { status, code: reason, message } = error;
      log.add({ event: 'refused', at: now(contract.tenant ?? ''), status, reason, message });
    }
    throw error;
  }
}

interface ApplyOutcome {
  readonly outcome: 'applied' | 'repeated' | 'contradicted' | 'noted';
  readonly balance?: number | undefined;
}

function applied({ ledger, now }: Dependencies, { id, tenant, adjustment }: VerifiedWebhook): ApplyOutcome {
  if (!adjustment) return { outcome: 'noted' };
  const { contactId, pointDefinitionId: definitionId, amount, description } = adjustment;
  const change = { tenant, contactId, definitionId, amount, description: description ?? '', at: now(tenant) };
  const outcome = ledger.apply(id, change);
  return { outcome, balance: ledger.account(change)?.balance };
}

/** Whom a call of the service is about, as far as it says so before it is checked. */
export const requestedTenant = ({ contract }: Dependencies, { tenant, headers, body }: PointMasterRequest): string =>
  tenant ?? headers['x-sim-tenant']?.toString() ?? namedIn(body) ?? contract.tenant ?? 'default';

function namedIn(body: Buffer): string | undefined {
  if (body.length === 0) return undefined;
  try {
    return envelopeSchema.safeParse(decodeJson(body)).data?.tenant;
  } catch {
    // What is no JSON is turned down where webhooks are read.
    return undefined;
  }
}

/** `GET /fetchPointHistory?id=`: all that a contact was given and lost, the oldest first. */
export function fetchPointHistory(
  { ledger, log, now }: Dependencies,
  { query, headers, tenant: named }: PointMasterRequest,
): PointMasterResponse {
  const id = query.get('id');
  if (id === null || id === '')
    throw pointMasterError('InvalidInput', 'id is missing: ask for /fetchPointHistory?id=<contact id>.');
  const contactId = normalizeGuid(id) ?? id;
  // A simulator says whose contact it means; ids of contacts are different anywhere else.
  const tenant = named ?? headers['x-sim-tenant']?.toString();
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
