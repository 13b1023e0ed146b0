/** Describes one case as it is played: what is sent to the point master, and what is expected of it. */
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Instant } from '../../core/time/clock.ts';
import { sleepFor } from '../../core/time/clock.ts';
import { ruleSchema } from '../../faults/rule-schema.ts';
import type { RuleInput } from '../../faults/rule-schema.ts';
import { escapeControls, escapeLineBreaks } from '../../core/lib/escape-controls.ts';
import { scenarioOf } from '../../scenario/scenario.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { addPointsEvent } from '../../service/points/point-follower.ts';
import type { Check } from '../../verdict/verdict.ts';
import { composeBody, composeHeaders, sendCraftedWebhook } from '../../webhooks/crafted-webhook.ts';
import type { CraftedWebhook, SentWebhook, Transmission, WebhookAgreement } from '../../webhooks/crafted-webhook.ts';
import { balancesEndpoint, findListHitBy, findRefusal, isSetLater } from './balance-lists.ts';
import { isSameAmount, pollUntil } from './ledger.ts';
import type { LedgerView } from './ledger.ts';

/** Controls the program under test, where we have started it. */
export interface PointMasterProgram {
  /** Kills it, starts it again, and resolves when it responds. */
  readonly restart: () => Promise<void>;
  /** Says how it has ended by itself; undefined while it runs. */
  readonly ended: () => string | undefined;
}

/** Holds all that the cases of a suite share. */
export interface PointMasterSetting {
  readonly tenant: Tenant;
  readonly agreement: WebhookAgreement;
  readonly definitionId: number;
  readonly ledger: LedgerView;
  /** Holds an encryption key that the point master takes besides the one in force. */
  readonly oldKey?: string | undefined;
  readonly program?: PointMasterProgram | undefined;
  /** Limits the wait for balances, in ms. */
  readonly timeout: number;
  /** Limits the wait until the history shows what was accepted, in ms. */
  readonly settleTime: number;
}

/** Describes an adjustment of points, as a webhook. */
export interface Adjustment extends CraftedWebhook {
  readonly contactId: string;
  readonly amount: number;
}

interface AdjustmentOptions {
  readonly contactId?: string;
  readonly description?: string;
  readonly eventType?: string;
  /** Replaces fields of the payload; undefined removes one. */
  readonly payload?: object;
  readonly envelope?: object;
}

export interface DeliveryOptions {
  /** Replaces the body, which is signed all the same. */
  readonly body?: string;
  /** Replaces the body after it was signed. */
  readonly altered?: string;
  readonly secret?: string | undefined;
  readonly at?: Instant;
  readonly key?: string;
  /** Replaces headers; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly transmission?: Transmission;
}

interface BookingOptions extends DeliveryOptions {
  /** Says what may be wrong if the adjustment is refused. */
  readonly hint?: string;
}

/** Describes a manual adjustment (Events). */
const manual = { source: 'Manual', userId: '5a0e7c1e-0009-4000-8000-000000000009', userName: 'Kim Larsson' };

export class Situation {
  readonly setting: PointMasterSetting;
  /** Holds the contacts of the case. */
  readonly contacts: readonly string[];
  readonly checks: Check[] = [];
  /** Holds what fails no case. */
  readonly notes: string[] = [];
  /** Counts what should be booked, by contact. */
  readonly booked = new Map<string, number>();
  /** Holds what the history added up to before. */
  readonly #before = new Map<string, number>();
  #isBalanced = false;
  #isUnanswered = false;

  constructor(setting: PointMasterSetting, contacts: readonly string[]) {
    this.setting = setting;
    this.contacts = contacts;
  }

  get contactId(): string {
    return this.contacts[0] ?? '';
  }

  /** Notes what the contacts have: a program that runs already may know them. */
  async begin(): Promise<void> {
    for (const contact of this.contacts) this.#before.set(contact, (await this.setting.ledger.total(contact)) ?? 0);
  }

  /** Makes an adjustment by hand, which nothing has sent yet. */
  adjustment(amount: number, options: AdjustmentOptions = {}): Adjustment {
    const { contactId = this.contactId, description = 'For the long wait', eventType = addPointsEvent } = options;
    const { definitionId: pointDefinitionId, tenant } = this.setting;
    const payload = { contactId, amount, description, pointDefinitionId, ...manual, ...options.payload };
    const { envelope } = options;
    return { id: tenant.newEventId(), eventType, payload, contactId, amount, ...(envelope && { envelope }) };
  }

  async deliver(webhook: CraftedWebhook, options: DeliveryOptions = {}): Promise<SentWebhook> {
    const { agreement } = this.setting;
    const { altered, secret, at, key, headers, transmission, body = composeBody(agreement, webhook, key) } = options;
    const all = { ...composeHeaders(agreement, { id: webhook.id, body, secret, at }), ...headers };
    const set = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    const sent = await sendCraftedWebhook({
      url: agreement.webhook.url,
      headers: Object.fromEntries(set),
      body: altered ?? body,
      transmission,
    });
    if (sent.error !== undefined) this.#isUnanswered = true;
    return sent;
  }

  /** Waits for the end of a program that has left a webhook without a response: it may be about to end. */
  async waitForEnd(): Promise<void> {
    const { program } = this.setting;
    if (program && this.#isUnanswered) await pollUntil(() => program.ended() !== undefined, endGrace);
  }

  /** Checks that the program has not ended by itself; returns whether it runs. */
  checkRunning(): boolean {
    const ended = this.setting.program?.ended();
    const what = 'keeps running';
    if (ended !== undefined && this.checks.every(({ description }) => description !== what))
      this.check(what, false, `the point master ${ended}`);
    return ended === undefined;
  }

  /** Delivers an adjustment that has to be accepted and booked; again, as the service does, if it cannot be taken now. */
  async book(adjustment: Adjustment, { hint = '', ...options }: BookingOptions = {}): Promise<void> {
    this.expectBooked(adjustment);
    let sent = await this.deliver(adjustment, options);
    for (const pause of redeliveryPauses) {
      if (!temporaryStatuses.includes(sent.status ?? 0)) break;
      await this.pause(pause);
      sent = await this.deliver(adjustment, options);
    }
    this.accepts(sent, `an adjustment of ${adjustment.amount} points`, hint);
  }

  expectBooked({ contactId, amount }: Adjustment): void {
    this.booked.set(contactId, (this.booked.get(contactId) ?? 0) + amount);
  }

  accepts(sent: SentWebhook, what: string, hint = ''): void {
    const { status = 0 } = sent;
    const isAccepted = status >= 200 && status < 300;
    const advice = status >= 400 && status < 500 && hint ? `: ${hint}` : '';
    this.check(`accepts ${what}`, isAccepted, `${what} ${this.#gotResponse(sent)}, expected 2xx${advice}`);
  }

  /** Any other response than 2xx refuses; none at all does not. */
  refuses(sent: SentWebhook, what: string): void {
    const { status = 0 } = sent;
    const expected = 'expected a status that refuses it: 401 or 400, or any other but 2xx';
    this.check(`refuses ${what}`, status >= 300, `${what} ${this.#gotResponse(sent)}, ${expected}`);
  }

  /** Describes a response with the beginning of its body, in which no key is shown. */
  #gotResponse({ status, body = '', error = 'no response' }: SentWebhook): string {
    if (status === undefined) return `got no response (${error})`;
    const { key, secret } = this.setting.agreement.webhook;
    const shown = [key, secret].reduce<string>(
      (text, hidden) => (hidden ? text.replaceAll(hidden, '***') : text),
      body,
    );
    const text = shorten(shown.trim());
    return `got status ${status}${text && ` (“${text}”)`}`;
  }

  check(description: string, isRight: boolean, reason: string): void {
    this.checks.push({
      description,
      verdict: isRight ? 'PASS' : 'FAIL',
      reason: isRight ? description : reason,
      requests: [],
    });
  }

  /** Adds what fails no case. */
  note(description: string, reason: string): void {
    this.checks.push({ description, verdict: 'PASS', reason, requests: [] });
    this.notes.push(reason);
  }

  doubt(description: string, reason: string): void {
    this.checks.push({ description, verdict: 'INCONCLUSIVE', reason, requests: [] });
  }

  get isFailed(): boolean {
    return this.checks.some(({ verdict }) => verdict === 'FAIL');
  }

  /** True when something is left open: more checks would say the same once more. */
  get isOpen(): boolean {
    return this.checks.some(({ verdict }) => verdict === 'INCONCLUSIVE');
  }

  /** True when its balances were waited for. */
  get isBalanced(): boolean {
    return this.#isBalanced;
  }

  expectedTotal = (contactId: string): number =>
    Number(((this.#before.get(contactId) ?? 0) + (this.booked.get(contactId) ?? 0)).toFixed(6));

  /** Checks by the history that the point master has booked what it should have. */
  async checkHistory(): Promise<void> {
    const { ledger, settleTime } = this.setting;
    for (const contact of this.contacts) {
      const expected = this.expectedTotal(contact);
      let total: number | undefined;
      const isServed = await pollUntil(async () => {
        total = await ledger.total(contact);
        return total === undefined || isSameAmount(total, expected);
      }, settleTime);
      if (isServed || total === undefined) continue;
      const shown = Number(total.toFixed(6));
      const reason = `the history of contact ${contact} adds up to ${shown} points, expected ${expected}`;
      this.check('books each adjustment once', false, reason);
    }
  }

  /** Checks that the history shows no description that was decoded as Latin-1; any other one is only noted. */
  async checkDescription(sent: string): Promise<void> {
    const { items } = await this.setting.ledger.history(this.contactId);
    const shown = items.map(({ description }) => description);
    const [last] = shown.toReversed();
    if (last === undefined || shown.some((text) => text.normalize() === sent.normalize())) return;
    const what = 'shows the description';
    const reason = `the history shows the description “${shorten(last)}”, “${sent}” was sent`;
    if (isDecodedAsLatin1(last, sent)) this.check(what, false, `${reason}: decode it as UTF-8`);
    else this.note(what, reason);
  }

  /** Checks by the balances that were sent, which may take until the next are due. */
  async checkBalances(limit: number): Promise<void> {
    this.#isBalanced = true;
    const { ledger, program } = this.setting;
    const isTotal = (contact: string): boolean => isSameAmount(ledger.balance(contact), this.expectedTotal(contact));
    const adjusted = [...this.booked.keys()];
    const isOver = (): boolean => program?.ended() !== undefined;
    await pollUntil(() => isOver() || adjusted.every(isTotal), limit);
    if (adjusted.every(isTotal)) return;
    const contact = adjusted.find((one) => !isTotal(one)) ?? '';
    const [balance, expected] = [ledger.balance(contact), this.expectedTotal(contact)];
    const what = 'sends the balance';
    // It may have been about to send it.
    if (isOver())
      this.doubt(what, `the point master ${program?.ended() ?? ''} before it sent the balance of ${expected}`);
    else if (balance === undefined) this.#explainMissing(contact);
    else this.check(what, false, `the last balance of contact ${contact} is ${balance}, expected ${expected}`);
  }

  /** Says why no balance of a contact has come. */
  #explainMissing(contact: string): void {
    const what = 'sends the balance';
    const fact = `no balance of contact ${contact} has come, expected ${this.expectedTotal(contact)}`;
    const refusal = findRefusal(this.setting.tenant, contact);
    if (refusal === undefined) this.doubt(what, `${fact}: set a longer --timeout`);
    else if (refusal.isOpen) this.doubt(what, `${fact}: ${refusal.reason}`);
    else this.check(what, false, `${fact}: ${refusal.reason}`);
  }

  /** Has the next list with a balance of this case meet a fault, and checks that its totals are sent again. */
  async checkRepeatedBalances(fault: RuleInput['fault'], what: string): Promise<void> {
    const { tenant, timeout } = this.setting;
    const { faults } = scenarioOf(tenant);
    // What a point master repeats of another case is none of this one.
    const match = { endpoint: balancesEndpoint, contact: this.contactId };
    const { rule } = faults.add(ruleSchema.parse({ id: `the list of balances ${what}`, match, fault, times: 1 }));
    try {
      await this.book(this.adjustment(25));
      let failed: Exchange | undefined;
      await this.#waitUntil(() => (failed = findListHitBy(tenant, rule.id)) !== undefined);
      if (failed === undefined) return this.#explainMissing(this.contactId);
      const list = failed;
      if (await this.#waitUntil(() => isSetLater(tenant, list))) return this.check('sends balances again', true, '');
      return await this.#checkGoingOn(
        list,
        `the list of balances ${what}, and was not sent again in ${seconds(timeout)}`,
      );
    } finally {
      faults.remove(rule.id);
    }
  }

  /** Judges a point master that has not repeated a list by what it does with the next balance, of another contact. */
  async #checkGoingOn(failed: Exchange, fact: string): Promise<void> {
    const { tenant, ledger, settleTime } = this.setting;
    const [, contactId = ''] = this.contacts;
    await this.book(this.adjustment(1, { contactId }));
    const isSet = (): boolean => isSetLater(tenant, failed);
    const isNext = (): boolean => isSameAmount(ledger.balance(contactId), this.expectedTotal(contactId));
    const isOn = await this.#waitUntil(() => isSet() || isNext());
    // The totals of one moment may come in several lists.
    const isSetAtLast = await pollUntil(isSet, settleTime);
    const what = 'sends balances again';
    if (isSetAtLast)
      this.doubt(what, `${fact}; a later list had its totals: if that was the repetition, set a longer --timeout`);
    else if (isOn) this.check(what, false, `${fact}, though newer lists came`);
    else this.doubt(what, `${fact}, nor any other list: set a longer --timeout`);
  }

  /** Waits as long as for balances, and no longer than the program runs. */
  async #waitUntil(isSo: () => boolean): Promise<boolean> {
    const { program, timeout } = this.setting;
    await pollUntil(() => program?.ended() !== undefined || isSo(), timeout);
    return isSo();
  }

  pause = (milliseconds: number): Promise<void> => sleepFor(milliseconds);
}

/** Matches what a receiver, or a gateway before it, responds to what it cannot take now. */
const temporaryStatuses: readonly number[] = [429, 500, 502, 503, 504];

/** Holds the pauses before a webhook is delivered again, in ms. The service waits 5 s at first (A-49). */
const redeliveryPauses = [500, 5000];

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

/** True for a text whose bytes in UTF-8 were each taken for a character, of Latin-1 or Windows-1252. */
const isDecodedAsLatin1 = (shown: string, sent: string): boolean => {
  const bytes = Buffer.from(sent);
  return [bytes.toString('latin1'), new TextDecoder('windows-1252').decode(bytes)].includes(shown);
};

/** Limits the wait for the end of a program whose connection has ended, in ms. */
const endGrace = 1000;

/** Limits what is shown of a text of the point master, in characters. */
const maxShown = 200;

/** Makes a text of the point master one short line. */
const shorten = (text: string): string => {
  const line = escapeLineBreaks(escapeControls(text));
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
};
