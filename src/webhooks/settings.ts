/** Derives a tenant's webhook settings from its options. */
import type { WebhookSettings } from '../core/tenant/settings.ts';
import { OptionError } from '../core/lib/input-error.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { optionalEventTypes } from '../service/events/event-types.ts';
import { invalidKeyReason } from '../core/tenant/webhook-key.ts';
import { isHttpUrl, invalidSecretReason, deriveSecret } from './keys.ts';
import { arrayOf, requiredText, upTo } from '../core/validation/field-types.ts';
import { defineOption, readList } from '../core/validation/option-definition.ts';
import type { OptionDefinition } from '../core/validation/option-definition.ts';

/** Returns a text that is checked as one of these options; what is wrong with it never repeats a key. */
const webhookText = (name: WebhookOptionName) =>
  requiredText.superRefine((sent, context) => {
    const message = invalidWebhookOptionReason(name, sent);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** Declares the options of a tenant that are about its webhook. */
export const webhookOptions = {
  /** Sets the address that point adjustments are sent to in point-follower mode, and other events when asked for. */
  webhookUrl: defineOption(webhookText('webhookUrl'), {
    group: 'Webhooks and point master',
    description: 'address that point adjustments are sent to in point-follower mode, and the events of webhookEvents',
    argument: '<url>',
  }),
  /** Sets the key of 32 characters that encrypts the payloads. */
  webhookKey: defineOption(webhookText('webhookKey'), {
    group: 'Webhooks and point master',
    description: 'key of 32 characters that encrypts the payloads of webhooks',
    argument: '<key>',
  }),
  /** Sets the secret that webhooks are signed with, as `whsec_…` (default: the bytes of the key, A-49). */
  webhookSecret: defineOption(webhookText('webhookSecret'), {
    group: 'Webhooks and point master',
    description: 'secret that webhooks are signed with',
    defaultText: 'the bytes of the key',
    argument: '<whsec_…>',
  }),
  /** Lists the kinds of events to send as well: `contact.created`, `point.balance.updated`, … */
  webhookEvents: defineOption(
    arrayOf(webhookText('webhookEvents'), 'a list of kinds of events').max(...upTo(100, 'kinds of events')),
    {
      group: 'Webhooks and point master',
      description: `kind of event to send as well: ${optionalEventTypes.join(', ')}`,
      default: [],
      argument: '<kind>',
      read: readList,
      isRepeatable: true,
    },
  ),
  /** Sets the address of the point master, which serves a contact's history. */
  pointMasterUrl: defineOption(webhookText('pointMasterUrl'), {
    group: 'Webhooks and point master',
    description: "address of the point master, which serves a contact's history at <url>/fetchPointHistory",
    argument: '<url>',
  }),
} satisfies Readonly<Record<string, OptionDefinition>>;

export interface WebhookOptions {
  readonly webhookUrl?: string | undefined;
  readonly webhookKey?: string | undefined;
  readonly webhookSecret?: string | undefined;
  readonly webhookEvents?: readonly string[] | undefined;
  readonly pointMasterUrl?: string | undefined;
  readonly assumptions?: Readonly<Record<string, string>> | undefined;
}

type WebhookOptionName = Exclude<keyof WebhookOptions, 'assumptions'>;

/** Returns what is wrong with one option by itself; undefined when it is valid. */
function invalidWebhookOptionReason(name: WebhookOptionName, value: string): string | undefined {
  switch (name) {
    case 'webhookUrl':
    case 'pointMasterUrl':
      return isHttpUrl(value) ? undefined : 'must be an address that begins with http:// or https://';
    case 'webhookKey':
      return invalidKeyReason(value);
    case 'webhookSecret':
      return invalidSecretReason(value);
    case 'webhookEvents':
      return unknownEventReason(value);
  }
}

function unknownEventReason(type: string): string | undefined {
  if (optionalEventTypes.some((known) => known === type)) return undefined;
  return `there is no kind of event "${type}"${didYouMean(type, optionalEventTypes)} (${optionalEventTypes.join(', ')})`;
}

const optionNames = ['webhookUrl', 'webhookKey', 'webhookSecret', 'webhookEvents', 'pointMasterUrl'] as const;

/** Returns where and how a tenant sends webhooks; undefined when it sends none. Throws `OptionError` if invalid. */
export function webhookSettings(options: WebhookOptions): WebhookSettings | undefined {
  checkWebhookOptions(options);
  const { webhookUrl: url, webhookKey: key, webhookSecret, webhookEvents: events = [], assumptions = {} } = options;
  if (url === undefined) {
    checkUnused(options);
    return undefined;
  }
  if (key === undefined && assumptions['A-48'] !== 'plain') {
    const way = 'give the 32-character webhookKey that the receiver decrypts them with, or assume A-48=plain';
    throw new OptionError('webhookKey', `is not given, and payloads are encrypted: ${way}`);
  }
  // a receiver that was given the key alone can check signatures too.
  const secret = webhookSecret ?? (key === undefined ? undefined : deriveSecret(key));
  return { url, key, secret: assumptions['A-49'] === 'unsigned' ? undefined : secret, events };
}

/** Throws `OptionError` for an option that can't be by itself. */
export function checkWebhookOptions(options: WebhookOptions): void {
  for (const name of optionNames) checkOption(name, options[name]);
}

function checkOption(name: WebhookOptionName, value: string | readonly string[] | undefined): void {
  for (const one of value === undefined ? [] : [value].flat()) {
    const reason = invalidWebhookOptionReason(name, one);
    if (reason !== undefined) throw new OptionError(name, reason);
  }
}

function checkUnused(options: WebhookOptions): void {
  for (const name of ['webhookKey', 'webhookSecret', 'webhookEvents'] as const) {
    if ([options[name] ?? []].flat().length === 0) continue;
    throw new OptionError(name, 'is given, but there is no webhookUrl to send anything to');
  }
}
