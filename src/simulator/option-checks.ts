/** Options as test code gives them, which may be JavaScript that nobody has checked. */
import { longestDelay } from '../core/lib/duration.ts';
import { InputError } from '../core/lib/input-error.ts';
import { isSecretName } from '../core/exchange/redaction.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { renamedHint } from './settings/renamed-names.ts';
import type { SimOptions } from './create-sim.ts';

type OptionType = readonly [words: string, isSo: (value: unknown) => boolean];

const text: OptionType = ['a text', (value) => typeof value === 'string'];
const texts: OptionType = ['a list of texts', (value) => Array.isArray(value) && value.every(text[1])];
const flag: OptionType = ['true or false', (value) => typeof value === 'boolean'];
const callback: OptionType = ['a function', (value) => typeof value === 'function'];
const record: OptionType = ['an object', (value) => typeof value === 'object' && value !== null];
const any: OptionType = ['a value', () => true];

const number = (words: string, isRight: (value: number) => boolean): OptionType => [
  words,
  (value) => typeof value === 'number' && isRight(value),
];

const oneOf = (...known: readonly string[]): OptionType => [
  `one of ${known.join(', ')}`,
  (value) => known.some((name) => name === value),
];

const largestSeed = 2_147_483_647;

// What is any value here is checked by whoever reads it.
const optionTypes: Readonly<Record<keyof SimOptions, OptionType>> = {
  fixtures: text,
  seed: number(
    `a whole number from 0 to ${largestSeed}`,
    (seed) => Number.isInteger(seed) && seed >= 0 && seed <= largestSeed,
  ),
  mode: oneOf('standard', 'point-follower'),
  withPointMaster: flag,
  now: text,
  assumptions: record,
  apiKeys: texts,
  tenants: oneOf('path', 'by-key'),
  queueDelay: number(
    `a number of milliseconds, at most ${longestDelay}`,
    (delay) => delay >= 0 && delay <= longestDelay,
  ),
  fieldValidation: oneOf('ignore', 'warn', 'strict'),
  webhookUrl: text,
  webhookKey: text,
  webhookSecret: text,
  webhookEvents: texts,
  pointMasterUrl: text,
  scenario: any,
  policy: any,
  defaults: record,
  journalBytes: number('a number of bytes, at least 1', (bytes) => bytes >= 1),
  host: text,
  adminKey: text,
  data: text,
  onRequest: callback,
  onPointMasterEvent: callback,
  onWarning: callback,
  onInternalError: callback,
};

const isOption = (name: string): name is keyof SimOptions => Object.hasOwn(optionTypes, name);

/** Throws `InputError` that names every option that isn't one, or can't be as it is. */
export function checkSimOptions(options: SimOptions): void {
  const inner = optionErrors(Object(options.defaults)).map((mistake) => `defaults.${mistake}`);
  const wrong = [...optionErrors(options), ...inner];
  if (wrong.length > 0) throw new InputError(`createSim: ${wrong.join('; ')}`);
}

const optionErrors = (options: object): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (!isOption(name))
      return [`${name} is no option${renamedHint('simOption', name) ?? didYouMean(name, Object.keys(optionTypes))}`];
    const [words, isSo] = optionTypes[name];
    if (value === undefined || isSo(value)) return [];
    const got = isSecretName(name) ? '' : `, not ${JSON.stringify(value) ?? typeof value}`;
    return [`${name} must be ${words}${got}`];
  });
