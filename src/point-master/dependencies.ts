import { systemNow } from '../core/time/clock.ts';
import type { Instant } from '../core/time/clock.ts';
import { checkArgument, checkOptions, checkWord, kinds } from '../core/lib/argument-checks.ts';
import { InputError } from '../core/lib/input-error.ts';
import { encryptionProfiles, parseEncryptionKey } from './webhook/decrypt.ts';
import { PointMasterFaults } from './faults.ts';
import { Ledger } from './ledger.ts';
import { openLedgerFile } from './ledger-file.ts';
import type { OpeningBalance } from './ledger.ts';
import { EventLog } from './event-log.ts';
import type { PointMasterOptions } from './options.ts';
import type { WebhookContract } from './webhook/read-webhook.ts';
import { parseSecret } from './webhook/signature.ts';
import { BalanceSynchronizer } from './balance-sync.ts';
import type { ServiceConnection } from './service-client.ts';
import { parseOpeningBalances } from './schemas.ts';

/** Holds what the request handlers of a point master share. */
export interface Dependencies {
  readonly contract: WebhookContract;
  readonly ledger: Ledger;
  readonly log: EventLog;
  readonly faults: PointMasterFaults;
  /** Is undefined when there is no service to send balances to. */
  readonly sync: BalanceSynchronizer | undefined;
  /** Returns the time in which the ledger of a tenant is kept. */
  readonly now: (tenant: string) => Instant;
  readonly showsPersonalData: boolean;
}

const { text, flag, list, callback, duration, wholeNumber, any } = kinds;

/** Says what each option holds; those of any kind are read further below. */
const optionKinds = {
  key: any,
  secret: any,
  encryption: any,
  timestampTolerance: any,
  host: text,
  adminKey: text,
  serviceUrl: any,
  apiKey: text,
  tenant: text,
  syncEvery: duration,
  retryPause: duration,
  opening: any,
  data: text,
  faults: list,
  faultSource: callback,
  seed: wholeNumber,
  showPersonalData: flag,
  now: callback,
  onEvent: callback,
  onInternalError: callback,
};

const defaultTolerance = 300_000;
const defaultRetryPause = 250;

/** Creates them from the options; throws an `InputError` with a line for each mistake. */
export function createDependencies(options: PointMasterOptions): Dependencies {
  const { now = systemNow, encryption = 'aes-256-cbc', tenant, timestampTolerance = defaultTolerance } = options;
  checkOptions('createPointMaster', options, optionKinds);
  const messages: string[] = [];
  const collect = <T>(parse: () => T): T | undefined => attempt(parse, messages);
  collect(() => checkWord('encryption', encryption, encryptionProfiles));
  if (timestampTolerance !== 'off') collect(() => checkArgument('timestampTolerance', timestampTolerance, duration));
  const keys = collect(() => keysOf(options)) ?? [];
  const secrets = collect(() => listOf(options.secret).map(parseSecret)) ?? [];
  const opening = collect(() => openingOf(options.opening ?? [])) ?? (() => []);
  const faults =
    collect(() => new PointMasterFaults(options.faults, { seed: options.seed, others: options.faultSource })) ??
    new PointMasterFaults();
  const service = collect(() => serviceOf(options));
  const { data } = options;
  const store = data === undefined || messages.length > 0 ? undefined : collect(() => openLedgerFile(data));
  if (messages.length > 0) throw new InputError(messages.join('\n'));
  const ledger = new Ledger({ now, opening, store });
  const log = new EventLog();
  return {
    contract: { encryption, keys, secrets, tolerance: timestampTolerance, tenant },
    ledger,
    log,
    faults,
    sync: service && new BalanceSynchronizer({ service, ledger, faults, log, now }),
    now,
    showsPersonalData: options.showPersonalData ?? false,
  };
}

function attempt<T>(parse: () => T, messages: string[]): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    messages.push(error.message);
    return undefined;
  }
}

const listOf = (given: string | readonly string[] | undefined): readonly string[] =>
  typeof given === 'string' ? [given] : (given ?? []);

function keysOf({ key, encryption }: PointMasterOptions): Buffer[] {
  const keys = listOf(key).map(parseEncryptionKey);
  if (keys.length > 0 || encryption === 'plain') return keys;
  throw new InputError('key: must be the 32 characters that are entered in the service; encryption "plain" needs none');
}

function openingOf(given: NonNullable<PointMasterOptions['opening']>): (tenant: string) => readonly OpeningBalance[] {
  if (typeof given === 'function') return given;
  const balances = parseOpeningBalances(given);
  return (tenant) => balances.filter((balance) => (balance.tenant ?? tenant) === tenant);
}

function serviceOf({
  serviceUrl,
  apiKey,
  retryPause = defaultRetryPause,
}: PointMasterOptions): ServiceConnection | undefined {
  if (serviceUrl === undefined) return undefined;
  if (typeof serviceUrl === 'function') return { url: serviceUrl, apiKey, retryPause };
  const isAddress = /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(serviceUrl) && URL.canParse(serviceUrl);
  const url = serviceUrl.replace(/\/+$/, '');
  if (isAddress) return { url: () => url, apiKey, retryPause };
  throw new InputError(`serviceUrl: must be the address of the service, as http://127.0.0.1:4010, not "${serviceUrl}"`);
}
