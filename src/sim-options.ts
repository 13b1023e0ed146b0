/** Options as test code gives them, which may be JavaScript that nobody has checked. */
import { longestDelay } from './core/duration.ts';
import { InputError } from './core/errors.ts';
import { isSecret } from './core/secrets.ts';
import { didYouMean } from './core/warning.ts';
import type { SimOptions } from './sim.ts';

type Form = readonly [words: string, isSo: (value: unknown) => boolean];

const text: Form = ['a text', (value) => typeof value === 'string'];
const texts: Form = ['a list of texts', (value) => Array.isArray(value) && value.every(text[1])];
const flag: Form = ['true or false', (value) => typeof value === 'boolean'];
const callback: Form = ['a function', (value) => typeof value === 'function'];
const record: Form = ['an object', (value) => typeof value === 'object' && value !== null];
const any: Form = ['a value', () => true];

const number = (words: string, isRight: (value: number) => boolean): Form => [
  words,
  (value) => typeof value === 'number' && isRight(value),
];

const oneOf = (...known: readonly string[]): Form => [
  `one of ${known.join(', ')}`,
  (value) => known.some((name) => name === value),
];

const largestSeed = 2_147_483_647;

// What is any value here is checked by whoever reads it.
const forms: Readonly<Record<keyof SimOptions, Form>> = {
  fixtures: text,
  seed: number(
    `a whole number from 0 to ${largestSeed}`,
    (seed) => Number.isInteger(seed) && seed >= 0 && seed <= largestSeed,
  ),
  mode: oneOf('standard', 'point-follower'),
  withMaster: flag,
  now: text,
  assume: record,
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
  onExchange: callback,
  onMasterEntry: callback,
  onNote: callback,
  onFault: callback,
};

const isOption = (name: string): name is keyof SimOptions => Object.hasOwn(forms, name);

/** Throws `InputError` that names every option that isn't one, or can't be as it is. */
export function checkOptions(options: SimOptions): void {
  const inner = mistakesIn(Object(options.defaults)).map((mistake) => `defaults.${mistake}`);
  const wrong = [...mistakesIn(options), ...inner];
  if (wrong.length > 0) throw new InputError(`createSim: ${wrong.join('; ')}`);
}

const mistakesIn = (options: object): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (!isOption(name)) return [`${name} is no option${didYouMean(name, Object.keys(forms))}`];
    const [words, isSo] = forms[name];
    if (value === undefined || isSo(value)) return [];
    const got = isSecret(name) ? '' : `, not ${JSON.stringify(value) ?? typeof value}`;
    return [`${name} must be ${words}${got}`];
  });
