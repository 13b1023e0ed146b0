/** Plays the cases of a point master one after the other, and judges it by its responses, its history and its balances. */
import { SideEffects } from '../../core/exchange/exchange.ts';
import { allRows } from '../../core/state/state.ts';
import { monotonicNow, systemNow, toTimestamp } from '../../core/time/clock.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { seededGuid } from '../../core/lib/random.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { contacts } from '../../service/contacts/schema.ts';
import { pointDefinitions } from '../../service/points/definitions.ts';
import { getContactType } from '../../service/retailer/operations.ts';
import { worstStatus } from '../../verdict/status.ts';
import type { Check, Verdict } from '../../verdict/verdict.ts';
import { isEncrypted } from '../../webhooks/crafted-webhook.ts';
import type { WebhookAgreement } from '../../webhooks/crafted-webhook.ts';
import { notExercised } from '../conformance/case-result.ts';
import type { CaseResult } from '../conformance/case-result.ts';
import type { CaseSelection } from '../conformance/cases.ts';
import { pointMasterCases } from './cases.ts';
import type { CaseNeed, PointMasterCase } from './cases.ts';
import { ledgerView } from './ledger.ts';
import { Situation } from './situation.ts';
import type { PointMasterProgram, PointMasterSetting } from './situation.ts';

export interface PointMasterSuiteOptions {
  /** Receives the balances. */
  readonly tenant: Tenant;
  readonly agreement: WebhookAgreement;
  /** Names the address below which the history is served. */
  readonly url: string;
  readonly oldKey?: string | undefined;
  readonly program?: PointMasterProgram | undefined;
  /** Limits the wait for balances, in ms. */
  readonly timeout: number;
  /** Limits the wait until the history shows what was accepted, in ms (default: 3 s). */
  readonly settleTime?: number | undefined;
  readonly isSelected: CaseSelection;
  /** Is called after each case, with the number of those that are done. */
  readonly onCase?: ((done: number) => void) | undefined;
}

interface PlayedCase {
  readonly kind: PointMasterCase;
  readonly situation: Situation;
  readonly at: string;
  readonly ms: number;
}

const standardSettleTime = 3000;

/** Plays the selected cases, and `plain` before them: where that does not pass, nothing else is tried. */
export async function playPointMasterSuite({
  tenant,
  agreement,
  url,
  oldKey,
  program,
  timeout,
  settleTime = standardSettleTime,
  isSelected,
  onCase,
}: PointMasterSuiteOptions): Promise<CaseResult[]> {
  const definitionId = firstDefinition(tenant);
  const ledger = ledgerView({ tenant, url, definitionId });
  let current = plainId;
  const watched = program && namesCase(program, () => current);
  const setting = { tenant, agreement, definitionId, ledger, oldKey, program: watched, timeout, settleTime };
  const contactsOf = createContacts(tenant);
  const results = new Map<string, CaseResult>();
  const played: PlayedCase[] = [];
  for (const kind of pointMasterCases.filter(({ id }) => id === plainId || isSelected(id))) {
    played.at(-1)?.situation.checkRunning();
    const reason = reasonToOmit(kind, setting) ?? whyOver(played, watched);
    if (reason !== undefined) {
      results.set(kind.id, notExercised(kind, reason));
      continue;
    }
    // What went wrong before is not put down to the fault or the restart.
    if (isDisturbing(kind)) await checkLedger(played, setting);
    current = kind.id;
    played.push(await play(kind, new Situation(setting, contactsOf(kind))));
    // Without any balance, each of the others would wait in vain.
    if (kind.id === plainId) await checkLedger(played, setting);
    onCase?.(played.length);
  }
  await checkLedger(played, setting);
  played.at(-1)?.situation.checkRunning();
  for (const one of played) results.set(one.kind.id, resultOf(one));
  return pointMasterCases.flatMap(({ id }) => results.get(id) ?? []);
}

const plainId = 'plain';

/** Has a program that has ended name the case that was played when it was found to have. */
function namesCase(program: PointMasterProgram, current: () => string): PointMasterProgram {
  let endedIn: string | undefined;
  return {
    ...program,
    ended: () => {
      const end = program.ended();
      if (end === undefined) return undefined;
      endedIn ??= current();
      return `${end} in the case ${endedIn}`;
    },
  };
}

function firstDefinition(tenant: Tenant): number {
  const [first] = allRows(tenant.state, pointDefinitions);
  if (!first) throw new InputError('--fixtures: they have no point definition, so that there are no points to adjust');
  return first.id;
}

/** Creates the contacts of all cases, so that a case has the same ones in every run. */
function createContacts(tenant: Tenant): (kind: PointMasterCase) => readonly string[] {
  const { seed } = tenant.settings;
  const now = toTimestamp(tenant.clock.now());
  const ids = new Map(
    pointMasterCases.map(({ id, contacts: count = 1 }) => [
      id,
      Array.from({ length: count }, (_, i) => seededGuid(seed, `conformance/${id}`, i)),
    ]),
  );
  tenant.transact(new SideEffects(), () => {
    const { id: contactType } = getContactType(tenant, undefined);
    for (const [name, group] of ids)
      for (const id of group)
        tenant.put(contacts, {
          id,
          contactType,
          attributes: { firstName: 'Conformance', lastName: name },
          preferences: { acceptsEmail: null, acceptsPostal: null, acceptsSms: null },
          consents: [],
          source: null,
          storeExternalId: null,
          isApproved: true,
          createdOn: now,
          modifiedOn: now,
        });
  });
  return ({ id }) => ids.get(id) ?? [];
}

/** Returns why a case cannot be played here; undefined when it can. */
function reasonToOmit({ needs = [] }: PointMasterCase, setting: PointMasterSetting): string | undefined {
  return needs.map((need) => lacks[need](setting)).find((reason) => reason !== undefined);
}

const lacks: Readonly<Record<CaseNeed, (setting: PointMasterSetting) => string | undefined>> = {
  signature: ({ agreement: { webhook } }) =>
    webhook.secret === undefined ? 'webhooks are not signed (A-49)' : undefined,
  encryption: ({ agreement }) => (isEncrypted(agreement) ? undefined : 'payloads are not encrypted (A-48)'),
  oldKey: ({ oldKey }) => (oldKey === undefined ? 'it takes --old-key, a second key of the point master' : undefined),
  program: ({ program }) => (program ? undefined : 'it takes the command that starts the point master, after --'),
};

/** Returns why no further case is played; undefined when there is no reason. */
function whyOver(played: readonly PlayedCase[], program: PointMasterProgram | undefined): string | undefined {
  const ended = program?.ended();
  if (ended !== undefined) return `the point master ${ended}`;
  const [plain] = played;
  if (plain?.situation.isFailed) return 'the case plain failed: fix that first';
  return plain?.situation.isOpen ? 'the case plain is inconclusive: see to that first' : undefined;
}

async function play(kind: PointMasterCase, situation: Situation): Promise<PlayedCase> {
  const started = monotonicNow();
  const at = toTimestamp(systemNow());
  await situation.begin();
  await kind.play(situation);
  await situation.waitForEnd();
  if (situation.checkRunning() && !situation.isFailed) await situation.checkHistory();
  return { kind, situation, at, ms: monotonicNow() - started };
}

/** True for a case whose fault may hit what belongs to the cases before it. */
const isDisturbing = ({ id }: PointMasterCase): boolean => id.startsWith('balances/') || id.startsWith('program/');

/** Waits for the balances of what was played since, looks at its history again, and notes what is wrong with them. */
async function checkLedger(played: readonly PlayedCase[], { timeout, program }: PointMasterSetting): Promise<void> {
  const end = monotonicNow() + timeout;
  for (const { situation } of played) {
    if (situation.isBalanced || situation.isFailed || situation.isOpen) continue;
    await situation.checkBalances(Math.max(0, end - monotonicNow()));
    if (program?.ended() === undefined && !situation.isFailed) await situation.checkHistory();
  }
}

function resultOf({ kind: { id, description, basis }, situation: { checks, notes }, at, ms }: PlayedCase): CaseResult {
  const verdict = verdictOf(checks);
  const { verdict: outcome } = verdict;
  const reason = outcome === 'PASS' ? notes.map((note) => `note: ${note}`).join('; ') : verdict.reason;
  const run = { name: id, description, at, ms, verdict };
  return { id, description, outcome, reason, basis, exitCode: null, ms, runs: [run] };
}

function verdictOf(all: readonly Check[]): Verdict {
  const checks = [...all];
  const verdict = worstStatus(checks.map((check) => check.verdict));
  const reason = checks
    .filter((check) => check.verdict === verdict && verdict !== 'PASS')
    .map((check) => check.reason)
    .join('; ');
  return { verdict, reason, checks, rules: [], operations: [], warnings: [], requests: 0, evicted: 0 };
}
