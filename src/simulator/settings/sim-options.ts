/** Declares every option that `createSim`, the config file, the environment and the flags have in common. */
import * as z from '../../core/validation/deferred-zod.ts';
import { expectedType, requiredText } from '../../core/validation/field-types.ts';
import { defineOption, readJson, readList, readNumber, readSwitch } from '../../core/validation/option-definition.ts';
import type { OptionDefinition } from '../../core/validation/option-definition.ts';
import { validateAgainst } from '../../core/validation/schema-diagnostics.ts';
import { isScenarioName } from '../../scenario/built-in.ts';
import { policySchema } from '../../scenario/policy-schema.ts';
import type { PolicyInput } from '../../scenario/policy-schema.ts';
import { everyWarning, readWarningCodes, warningCodeList } from '../../service/warnings.ts';
import { tenantOptions } from '../../service/settings/tenant-options.ts';
import { webhookOptions } from '../../webhooks/settings.ts';

const maxJournalBytes = 16 * 1024 ** 3;
const journalRange = { error: `must be a whole number of bytes from 1 to ${maxJournalBytes}` };

const portRange = { error: 'must be a port number from 0 to 65535' };
export const portNumber = z.int(portRange).min(0, portRange).max(65_535, portRange);

/** Checks a policy by the schema that scenarios have, too. */
const policy = z.custom<PolicyInput>().superRefine((sent, context) => {
  // A flag or a variable that is no JSON stays a text.
  if (typeof sent === 'string') {
    context.addIssue({ code: 'custom', message: 'must be a JSON object such as {"maxAttempts":4}' });
    return;
  }
  for (const { path, message } of validateAgainst(policySchema, sent)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
});

/** Publishes the fields of a policy, which its own check does not show. */
export const policyJsonSchema = policySchema;

export const commonOptions = {
  ...tenantOptions,
  ...webhookOptions,
  host: defineOption(requiredText, {
    group: 'Network',
    description: 'address to listen on; 0.0.0.0 for all of them',
    default: '127.0.0.1',
    argument: '<address>',
  }),
  scenario: defineOption(z.array(requiredText, expectedType('a list of files or names, such as ["outage.yaml"]')), {
    group: 'Scenario and policy',
    description: 'scenario file, or name of a built-in scenario',
    default: [],
    argument: '<file>',
    read: readList,
    isRepeatable: true,
    isPath: (value) => !isScenarioName(value),
  }),
  policy: defineOption(policy, {
    group: 'Scenario and policy',
    description: 'rules for the client beyond the specification, such as {"maxAttempts":4,"minBackoff":"1s"}',
    argument: '<json>',
    read: readJson,
  }),
  failOnWarnings: defineOption(warningCodeList, {
    group: 'Scenario and policy',
    description: `warnings that fail the verdict, by their codes with commas between, or ${everyWarning}`,
    default: [],
    defaultText: 'none',
    argument: '<codes>',
    read: readWarningCodes,
    isRepeatable: true,
  }),
  fixtureCache: defineOption(requiredText, {
    group: 'Data',
    description: 'folder that keeps fixtures of 16 MB or more as they are loaded, for later starts',
    argument: '<folder>',
    isPath: () => true,
  }),
  data: defineOption(requiredText, {
    group: 'Data',
    description: 'file that keeps the state over restarts',
    argument: '<file>',
    isPath: () => true,
  }),
  durable: defineOption(z.boolean(expectedType('true or false')), {
    group: 'Data',
    description: 'force each change to the disk before it is responded to, so that a power failure loses none',
    default: false,
    read: readSwitch,
  }),
  acceptEdits: defineOption(z.boolean(expectedType('true or false')), {
    group: 'Data',
    description: 'take a saved state that was edited by hand',
    default: false,
    read: readSwitch,
  }),
  apiKeys: defineOption(z.array(requiredText, expectedType('a list of texts, such as ["till-1"]')), {
    group: 'Network',
    description: 'accept only callers with this key',
    default: [],
    defaultText: 'any key or none',
    flag: '--api-key',
    argument: '<key>',
    read: readList,
    isRepeatable: true,
  }),
  adminKey: defineOption(requiredText, {
    group: 'Network',
    description: 'key of the control API, which is off without a key when the host is not loopback',
    argument: '<key>',
  }),
  tenants: defineOption(z.enum(['path', 'by-key']), {
    group: 'Network',
    description: 'way in which requests name their tenant: by path and header (path), or by their key too (by-key)',
    default: 'path',
    argument: '<how>',
  }),
  withPointMaster: defineOption(z.boolean(expectedType('true or false')), {
    group: 'Webhooks and point master',
    description: 'start a fake point master with the simulator, and follow it',
    default: false,
    read: readSwitch,
  }),
  importFolder: defineOption(requiredText, {
    group: 'Receipts as files',
    description: 'folder whose integration/transactionImport takes receipts as XML files',
    argument: '<folder>',
    isPath: () => true,
  }),
  sftpPort: defineOption(portNumber, {
    group: 'Receipts as files',
    description: 'port to serve the import folder on by SFTP; 0 takes any free one',
    argument: '<port>',
    read: readNumber,
  }),
  ftpPort: defineOption(portNumber, {
    group: 'Receipts as files',
    description: 'port to serve the import folder on by FTP; 0 takes any free one',
    argument: '<port>',
    read: readNumber,
  }),
  importUser: defineOption(requiredText, {
    group: 'Receipts as files',
    description: 'user that may log in by SFTP and FTP',
    defaultText: 'any user',
    argument: '<name>',
  }),
  importPassword: defineOption(requiredText, {
    group: 'Receipts as files',
    description: 'password of that user, which another host than loopback needs',
    defaultText: 'any password',
    argument: '<password>',
  }),
  journalBytes: defineOption(z.int(journalRange).min(1, journalRange).max(maxJournalBytes, journalRange), {
    group: 'Data',
    description: 'largest size of the journal of a tenant, in bytes',
    default: 64 * 1024 * 1024,
    argument: '<n>',
    read: readNumber,
  }),
  totalJournalBytes: defineOption(z.int(journalRange).min(1, journalRange).max(maxJournalBytes, journalRange), {
    group: 'Data',
    description:
      'largest size of the journals of all tenants together, with the earlier states that are kept; those called least recently drop requests first',
    default: 512 * 1024 * 1024,
    argument: '<n>',
    read: readNumber,
  }),
  otlpEndpoint: defineOption(requiredText, {
    group: 'Output',
    description:
      'send traces to this OpenTelemetry collector by OTLP/HTTP; env takes OTEL_EXPORTER_OTLP_ENDPOINT and …_HEADERS',
    argument: '<url>',
  }),
} satisfies Readonly<Record<string, OptionDefinition>>;
