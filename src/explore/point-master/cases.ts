/** Names the cases that a point master is tried with: each webhook as it may come, and as it must be refused. */
import { compilePathTemplate } from '../../core/exchange/path-template.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import type { CaseCatalog } from '../conformance/cases.ts';
import { systemNow } from '../../core/time/clock.ts';
import type { Basis } from '../../core/validation/finding.ts';
import { seededGuid } from '../../core/lib/random.ts';
import type { RuleInput } from '../../faults/rule-schema.ts';
import { composeBody, composeHeaders, isEncrypted } from '../../webhooks/crafted-webhook.ts';
import type { WebhookAgreement } from '../../webhooks/crafted-webhook.ts';
import type { Situation } from './situation.ts';

/** Names what a case takes that not every point master offers. */
export type CaseNeed = 'signature' | 'encryption' | 'oldKey' | 'program';

export interface PointMasterCase {
  /** Names the case: `webhook/twice`. */
  readonly id: string;
  readonly description: string;
  /** Says why a point master has to pass. */
  readonly basis: Basis;
  readonly needs?: readonly CaseNeed[];
  /** Counts the contacts that it takes (default: 1). */
  readonly contacts?: number;
  readonly play: (situation: Situation) => Promise<void>;
}

const specification = (text: string): Basis => ({ source: 'specification', text });
const assumption = (text: string): Basis => ({ source: 'assumption', text });

const applied = specification(
  "Events: “The point master applies it and the change appears in the service after the master's next balance sync.”",
);
const repeated = assumption(
  'A-49: a webhook without a 2xx response within 15 s is sent again, with the same id and body.',
);
const signed = assumption('A-49: webhooks are signed as Standard Webhooks define, over `id.timestamp.body`.');
const fresh = assumption('A-49: Standard Webhooks has receivers refuse time stamps that are too far from their clock.');
const encrypted = assumption('A-48: payloads are encrypted with the shared key; nothing else can be read.');
const envelope = assumption('A-50: the envelope has fields that the specification does not name.');
const historyForm = specification(
  'External point history endpoint: “JSON array of point history items; an empty array when the contact has no points”',
);
const failures = specification('Errors: “500, 504: Server failure or time-out; the caller retries”');

const minute = 60_000;
const otherSecret = 'whsec_bm90LXRoZS1zZWNyZXQtb2YtYW55Ym9keS1hdC1hbGw=';
const otherKey = 'not-the-key-of-any-point-master!';

/** Lists the cases in the order in which they are played. */
export const pointMasterCases: readonly PointMasterCase[] = [
  {
    id: 'plain',
    description: 'An adjustment by hand arrives once.',
    basis: applied,
    play: (s) => s.book(s.adjustment(25), { hint: agreementHint(s) }),
  },
  {
    id: 'webhook/automation',
    description: 'An adjustment by an automation arrives.',
    basis: specification('Events: “Decrypted payload, adjustment by an automation (source is Automation)”'),
    play: (s) => s.book(s.adjustment(25, { payload: { ...withoutUser, ...automation } })),
  },
  {
    id: 'webhook/negative',
    description: 'An adjustment takes points away.',
    basis: specification('Events: the field `amount` is a number.'),
    play: async (s) => {
      await s.book(s.adjustment(40));
      await s.book(s.adjustment(-15));
    },
  },
  {
    id: 'webhook/fraction',
    description: 'Amounts have decimals.',
    basis: specification('Events: the field `amount` is a number.'),
    play: async (s) => {
      await s.book(s.adjustment(0.1));
      await s.book(s.adjustment(0.2));
    },
  },
  {
    id: 'webhook/unicode',
    description: 'The description has letters beyond ASCII.',
    basis: assumption('A-48: the text that is encrypted is UTF-8.'),
    play: async (s) => {
      const description = 'Grattis på födelsedagen 🎂';
      await s.book(s.adjustment(25, { description }));
      await s.checkHistory();
      await s.checkDescription(description);
    },
  },
  {
    id: 'webhook/same-content',
    description: 'Two adjustments have the same content and two ids.',
    basis: applied,
    play: async (s) => {
      await s.book(s.adjustment(25));
      await s.book(s.adjustment(25));
    },
  },
  {
    id: 'webhook/unknown-fields',
    description: 'Envelope and payload have a field more.',
    basis: envelope,
    play: (s) => s.book(s.adjustment(25, { payload: { campaign: 'spring' }, envelope: { apiVersion: 3 } })),
  },
  {
    id: 'webhook/other-event',
    description: 'An event of another kind arrives.',
    basis: specification(
      'Events: “Other webhooks for points and vouchers exist; their kinds and payloads: not shown.”',
    ),
    play: async (s) => {
      const other = s.adjustment(500, { eventType: 'loyalty.otherPoints' });
      s.accepts(await s.deliver(other), 'an event of another kind');
    },
  },
  {
    id: 'webhook/twice',
    description: 'A webhook is delivered twice.',
    basis: repeated,
    play: async (s) => {
      const webhook = s.adjustment(25);
      await s.book(webhook);
      s.accepts(await s.deliver(webhook), 'the second delivery');
    },
  },
  {
    id: 'webhook/twice-at-once',
    description: 'A webhook is delivered five times at the same moment, and once more.',
    basis: repeated,
    play: async (s) => {
      const webhook = s.adjustment(25);
      s.expectBooked(webhook);
      await Promise.all(Array.from({ length: 5 }, () => s.deliver(webhook)));
      s.accepts(await s.deliver(webhook), 'the last delivery');
    },
  },
  {
    id: 'webhook/repeated-later',
    description: 'A webhook is delivered again after five others.',
    basis: repeated,
    play: async (s) => {
      const webhook = s.adjustment(25);
      await s.book(webhook);
      for (const amount of [1, 2, 3, 4, 5]) await s.book(s.adjustment(amount));
      s.accepts(await s.deliver(webhook), 'the repetition');
    },
  },
  {
    id: 'webhook/lost-response',
    description: 'The response to a webhook is lost, and it is delivered again.',
    basis: repeated,
    play: async (s) => {
      const webhook = s.adjustment(25);
      await s.deliver(webhook, { transmission: 'unread' });
      await s.pause(retryPause);
      await s.book(webhook);
    },
  },
  {
    id: 'webhook/cut',
    description: 'The connection ends in the middle of a webhook, and it is delivered again.',
    basis: repeated,
    play: async (s) => {
      const webhook = s.adjustment(25);
      await s.deliver(webhook, { transmission: 'cut' });
      await s.book(webhook);
    },
  },
  {
    id: 'webhook/out-of-order',
    description: 'An adjustment of −30 points arrives before the one of 50 that was made before it.',
    basis: assumption('A-49: a webhook that failed is sent again after up to 10 h, so that others overtake it.'),
    play: async (s) => {
      const [first, second] = [s.adjustment(50), s.adjustment(-30)];
      const early = await s.deliver(second);
      await s.book(first);
      s.expectBooked(second);
      // One that was refused for now is delivered again.
      s.accepts(isAccepted(early.status) ? early : await s.deliver(second), 'the adjustment of −30 points');
    },
  },
  {
    id: 'webhook/parallel',
    description: 'Ten adjustments of one contact arrive at the same moment.',
    basis: applied,
    play: (s) =>
      bookAll(
        s,
        Array.from({ length: 10 }, (_, i) => s.adjustment(i + 1)),
      ),
  },
  {
    id: 'webhook/many',
    description: '200 adjustments of four contacts arrive, ten at a time.',
    basis: applied,
    contacts: 4,
    play: (s) =>
      bookAll(
        s,
        Array.from({ length: 200 }, (_, i) => s.adjustment(i + 1, { contactId: s.contacts[i % 4] ?? '' })),
      ),
  },
  {
    id: 'webhook/two-signatures',
    description: 'The header has several signatures, the right one last.',
    basis: assumption(
      'A-49: Standard Webhooks separates signatures by spaces; one of version `v1` that is right is enough.',
    ),
    needs: ['signature'],
    play: async (s) => {
      const webhook = s.adjustment(25);
      const { agreement } = s.setting;
      const body = composeBody(agreement, webhook);
      const wrong = composeHeaders(agreement, { id: webhook.id, body, secret: otherSecret });
      const right = composeHeaders(agreement, { id: webhook.id, body });
      const signatures = `v2,bm90aGluZw== ${wrong['webhook-signature']} ${right['webhook-signature']}`;
      await s.book(webhook, {
        body,
        headers: { ...right, 'webhook-signature': signatures, 'svix-signature': signatures },
      });
    },
  },
  {
    id: 'webhook/old-key',
    description: 'The key was changed, and a webhook arrives that was encrypted with the old one.',
    basis: specification('Events: “The key is entered in the service and shared separately with the point master.”'),
    needs: ['encryption', 'oldKey'],
    play: async (s) => {
      const { oldKey = '' } = s.setting;
      await s.book(s.adjustment(25), { key: oldKey });
    },
  },
  {
    id: 'webhook/unsigned',
    description: 'A webhook has no signature.',
    basis: signed,
    needs: ['signature'],
    play: async (s) => s.refuses(await s.deliver(s.adjustment(25), { headers: noSignature }), 'an unsigned webhook'),
  },
  {
    id: 'webhook/wrong-secret',
    description: 'A webhook is signed with another secret.',
    basis: signed,
    needs: ['signature'],
    play: async (s) =>
      s.refuses(await s.deliver(s.adjustment(25), { secret: otherSecret }), 'a webhook with a wrong signature'),
  },
  {
    id: 'webhook/tampered',
    description: 'An accepted webhook arrives again with another id in its body.',
    basis: signed,
    needs: ['signature'],
    play: async (s) => {
      const webhook = s.adjustment(25);
      await s.book(webhook);
      const body = composeBody(s.setting.agreement, webhook);
      const altered = body.replace(webhook.id, s.adjustment(0).id);
      s.refuses(await s.deliver(webhook, { body, altered }), 'a webhook whose body was altered');
    },
  },
  {
    id: 'webhook/too-old',
    description: 'A webhook was signed ten minutes ago.',
    basis: fresh,
    needs: ['signature'],
    play: async (s) => {
      const at = systemNow() - 10 * minute;
      s.refuses(await s.deliver(s.adjustment(25), { at }), 'a webhook that was signed ten minutes ago');
    },
  },
  {
    id: 'webhook/from-future',
    description: 'A webhook has the time stamp of ten minutes from now.',
    basis: fresh,
    needs: ['signature'],
    play: async (s) => {
      const at = systemNow() + 10 * minute;
      s.refuses(await s.deliver(s.adjustment(25), { at }), 'a webhook that was signed in ten minutes');
    },
  },
  {
    id: 'webhook/wrong-key',
    description: 'A webhook is encrypted with a key that the point master does not have.',
    basis: encrypted,
    needs: ['encryption'],
    play: async (s) =>
      s.refuses(await s.deliver(s.adjustment(25), { key: otherKey }), 'a webhook that cannot be decrypted'),
  },
  {
    id: 'webhook/rejected-then-right',
    description: 'A webhook arrives with a wrong signature, and then as it should.',
    basis: repeated,
    needs: ['signature'],
    play: async (s) => {
      const webhook = s.adjustment(25);
      s.refuses(await s.deliver(webhook, { secret: otherSecret }), 'the delivery with a wrong signature');
      await s.book(webhook);
    },
  },
  {
    id: 'webhook/not-json',
    description: 'Bodies that are no envelope arrive, signed, and then a webhook.',
    basis: envelope,
    play: async (s) => {
      for (const [what, body] of Object.entries(noEnvelopes))
        s.refuses(await s.deliver(s.adjustment(25), { body }), `a body that is ${what}`);
      await s.book(s.adjustment(25));
    },
  },
  {
    id: 'webhook/missing-fields',
    description: 'A payload lacks its amount, another its contact.',
    basis: specification('Events: the payload has contactId, amount and pointDefinitionId.'),
    play: async (s) => {
      for (const field of ['amount', 'contactId']) {
        const webhook = s.adjustment(25, { payload: { [field]: undefined } });
        s.refuses(await s.deliver(webhook), `a payload without ${field}`);
      }
    },
  },
  {
    id: 'history/no-points',
    description: 'The history of a contact without points is requested, and of one that nobody knows.',
    basis: historyForm,
    play: async (s) => {
      const unknown = seededGuid(systemNow(), 'a contact that nobody knows', 0);
      for (const contact of [s.contactId, unknown]) {
        const { items, note } = await s.setting.ledger.history(contact);
        const details = note ?? `it has ${items.length} items`;
        const isEmpty = note === null && items.length === 0;
        s.check(
          'responds with an empty list',
          isEmpty,
          `the history of contact ${contact} is not an empty list: ${details}`,
        );
      }
    },
  },
  {
    id: 'history/items',
    description: 'The history of a contact is requested after two adjustments.',
    basis: specification(
      'Point-follower records: “Point history item returned by the external system: transactionDate (timestamp), amount (number), description (string).”',
    ),
    play: async (s) => {
      await s.book(s.adjustment(25));
      await s.book(s.adjustment(-10));
      await s.checkHistory();
      const { items, note } = await s.setting.ledger.history(s.contactId);
      const amounts = items.map(({ amount }) => amount);
      const isEach = note === null && amounts.includes(25) && amounts.includes(-10);
      const details = note ?? `its amounts are ${amounts.join(', ') || 'none'}`;
      s.check('shows each adjustment', isEach, `the history has no items of 25 and −10 points: ${details}`);
    },
  },
  ...balanceCases(),
  {
    id: 'program/restart',
    description:
      'The point master is killed after it accepted two webhooks, and started again; the second arrives again.',
    basis: applied,
    needs: ['program'],
    play: async (s) => {
      const webhook = s.adjustment(25);
      await s.book(s.adjustment(10));
      await s.book(webhook);
      await s.setting.program?.restart();
      s.accepts(await s.deliver(webhook), 'the delivery after the restart');
    },
  },
];

const caseIds: readonly string[] = pointMasterCases.map(({ id }) => id);

/** Knows the cases of point masters. */
export const pointMasterCatalog: CaseCatalog = {
  isCase: (id) => caseIds.includes(id),
  suggest: (name) => didYouMean(name, caseIds),
  ofClass: () => [],
};

/** True for a pattern that matches a case of a point master. */
export const isPointMasterPattern = (pattern: string): boolean => caseIds.some(compilePathTemplate(pattern));

function balanceCases(): PointMasterCase[] {
  const faults: readonly (readonly [id: string, does: string, fault: RuleInput['fault']])[] = [
    ['500', 'got status 500', '500'],
    ['504', 'got status 504', '504'],
    ['504-after', 'got status 504 after the balances were queued', { phase: 'after', status: 504 }],
    ['lost-before', 'got no response', { respond: 'none', end: 'reset' }],
    ['lost-after', 'got no response after the balances were queued', { phase: 'after', respond: 'none', end: 'reset' }],
  ];
  return faults.map(([id, does, fault]) => ({
    id: `balances/${id}`,
    description: `The balances that the point master sends ${does.replace('got', 'get')}.`,
    basis: failures,
    contacts: 2,
    play: (s) => s.checkRepeatedBalances(fault, does),
  }));
}

/** Says what a point master that takes no webhook at all may lack. */
const agreementHint = ({ setting: { agreement } }: Situation): string => {
  const hints = [
    ...(isEncrypted(agreement) ? [`--webhook-key and the cipher ${cipherOf(agreement)} (A-48)`] : []),
    ...(agreement.webhook.secret === undefined ? [] : ['--webhook-secret (A-49)']),
  ];
  return hints.length > 0 ? `check that it has ${hints.join(', and ')}` : '';
};

const cipherOf = ({ assumptions }: WebhookAgreement): string =>
  assumptions['A-48'] === 'aes-256-gcm' ? 'AES-256-GCM' : 'AES-256-CBC';

/** The service waits longer; what a receiver does after its response is over by then. */
const retryPause = 500;

const isAccepted = (status = 0): boolean => status >= 200 && status < 300;

/** Delivers adjustments ten at a time; what was refused because so many came is delivered again by itself. */
async function bookAll(s: Situation, adjustments: ReturnType<Situation['adjustment']>[]): Promise<void> {
  for (let i = 0; i < adjustments.length; i += atOnce) {
    const some = adjustments.slice(i, i + atOnce);
    const sent = await Promise.all(some.map((adjustment) => s.deliver(adjustment)));
    for (const [j, adjustment] of some.entries()) {
      if (isAccepted(sent[j]?.status)) s.expectBooked(adjustment);
      else await s.book(adjustment);
    }
  }
}

const atOnce = 10;

const withoutUser = { userId: undefined, userName: undefined };

const automation = {
  source: 'Automation',
  reason: 'Birthday',
  processId: '0d9fbb13-5b2e-4dd5-a4a5-7c4f3a2c1b10',
  workflowId: '6f2f0a53-92a1-4f0e-8f0c-2f9d5f3f6f11',
  workflowName: 'Birthdays',
};

const noSignature = Object.fromEntries(
  ['webhook', 'svix'].flatMap((prefix) =>
    ['id', 'timestamp', 'signature'].map((part) => [`${prefix}-${part}`, undefined]),
  ),
);

const noEnvelopes = { empty: '', 'no JSON': '{"eventType":', 'a list': '[]', 'an empty object': '{}' };
