/** Checks options of test code, which may be JavaScript without types. */
import { isSecretName } from '../core/exchange/redaction.ts';
import { InputError } from '../core/lib/input-error.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { parseOption, validateOption } from '../core/validation/option-definition.ts';
import type { OptionDefinition } from '../core/validation/option-definition.ts';
import { formatPath } from '../core/validation/unknown-fields.ts';
import { tenantOptionNames, tenantOptions } from '../service/settings/tenant-options.ts';
import type { TenantOptionInputs, TenantOptionName, TenantOptionValues } from '../service/settings/tenant-options.ts';
import type { SimOptions } from './options.ts';
import { commonOptions } from './settings/sim-options.ts';

/** Holds the options of tenants as they are parsed: durations in ms. */
export interface ParsedSimOptions extends Omit<SimOptions, TenantOptionName | 'defaults'>, TenantOptionValues {
  readonly defaults?: TenantOptionValues | undefined;
}

// A scenario may be an object here; scenario and policy are checked when they are parsed.
const { scenario: _scenario, policy: _policy, ...checked } = commonOptions;
const options: Readonly<Record<string, OptionDefinition>> = checked;
const callbacks = ['onRequest', 'onPointMasterEvent', 'onWarning', 'onInternalError'];
const names = [...Object.keys(commonOptions), 'defaults', ...callbacks];

/** Returns options with each value parsed. Throws `InputError` that names every invalid option. */
export function parseSimOptions(given: SimOptions): ParsedSimOptions {
  const inner = optionErrors(Object(given.defaults)).map((mistake) => `defaults.${mistake}`);
  const wrong = [...optionErrors(given), ...inner];
  if (wrong.length > 0) throw new InputError(`createSim: ${wrong.join('; ')}`);
  const { defaults, ...all } = given;
  // Those of tenants are parsed, which sets each of them again.
  const others: Omit<typeof all, TenantOptionName> = all;
  return { ...others, ...parsedValues(given), ...(defaults && { defaults: parsedValues(defaults) }) };
}

const optionErrors = (given: object): string[] =>
  Object.entries(given).flatMap(([name, value]) => {
    if (!names.includes(name)) return [`${name}: is not an option${didYouMean(name, names)}`];
    if (value === undefined) return [];
    if (callbacks.includes(name) && typeof value !== 'function')
      return [`${name}: must be a function${received(name, value)}`];
    if (name === 'defaults' && (typeof value !== 'object' || value === null))
      return [`${name}: must be an object${received(name, value)}`];
    const option = options[name];
    return option
      ? validateOption(name, option, value).map(({ path, message }) => `${at(name, path)}: ${message}`)
      : [];
  });

const at = (name: string, path: Parameters<typeof formatPath>[0]): string =>
  path.length === 0 ? name : `${name}.${formatPath(path)}`;

const received = (name: string, value: unknown): string =>
  isSecretName(name) ? '' : `, not ${JSON.stringify(value) ?? typeof value}`;

const parsedValues = (given: TenantOptionInputs): TenantOptionValues =>
  Object.fromEntries(
    tenantOptionNames
      .filter((name) => given[name] !== undefined)
      .map((name) => [name, parseOption(tenantOptions[name], given[name])]),
  );
