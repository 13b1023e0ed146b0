/** Merges config file, environment and flags; later ones win. Nothing else reads the environment. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readConfigFile } from './config-file.ts';
import { InputError } from '../core/lib/input-error.ts';
import { didYouMean } from '../core/lib/suggest.ts';
import { flagKey, flagName, optionEntries, options, environmentVariableName } from './options.ts';
import { diagnosticsError, errorAt } from '../core/validation/diagnostic.ts';
import type { Diagnostic, JsonPath } from '../core/validation/diagnostic.ts';
import { parsedDefault, parseOption, readJson, validateOption } from '../core/validation/option-definition.ts';
import type { OptionDefinition } from '../core/validation/option-definition.ts';
import type { OptionName } from './options.ts';
import { shellOf } from '../platform/shell.ts';
import type { Shell } from '../core/lib/shell-words.ts';
import type * as z from 'zod';

type ValueOf<Option extends OptionDefinition> = Option extends { readonly default: unknown }
  ? z.output<Option['schema']>
  : z.output<Option['schema']> | undefined;

/** Holds all options, each with its value or its default. */
export type Config = { readonly [Name in OptionName]: ValueOf<(typeof options)[Name]> };

/** Holds flags by option name, as they were typed: a text, a list if repeatable, or true for a switch. */
export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Holds an option as one source sets it. */
interface Setting {
  readonly name: string;
  readonly value: unknown;
  /** Returns the location of a value: in its file, or the flag or variable that holds it. */
  readonly locate: (path: JsonPath) => Pick<Diagnostic, 'file' | 'line' | 'column' | 'path'>;
}

interface Sources {
  readonly flags?: Flags;
  readonly env?: Environment;
  /** Sets the folder of relative paths and of the default config file. */
  readonly folder?: string;
}

const defaultFile = 'loyalty-sim.config.json';
const prefix = 'LOYALTY_SIM_';
// `exec` and `explore` set these for their command, which may well start another simulator.
const outputs = new Set(
  ['URL', 'ADMIN_URL', 'API_KEY', 'SFTP_URL', 'FTP_URL', 'RUN'].map((name) => `${prefix}${name}`),
);
const otherVariables = ['LOYALTY_SIM_CONFIG', 'LOYALTY_SIM_DEBUG'];
const known: ReadonlyMap<string, OptionDefinition> = new Map<string, OptionDefinition>(optionEntries);

/** True when stack traces are to be printed. */
export const isDebugging = (): boolean => process.env['LOYALTY_SIM_DEBUG'] !== undefined;

/** True when npm or npx started this process. */
export const isRunByNpm = (): boolean => process.env['npm_command'] !== undefined;

/** True when colours are disabled, by the convention of no-color.org. */
export const isColorDisabled = (): boolean => (process.env['NO_COLOR'] ?? '') !== '';

/** Returns the shell that a printed line is likely pasted into. */
export const userShell = (): Shell => shellOf(process.env);

/** Returns our environment with more variables, for a program that we start; its calls to this machine take no proxy. */
export const extendEnvironment = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...withoutProxy(process.env),
  ...more,
});

/** Lists names of variables by which programs find a proxy for plain HTTP; most programs read either case. */
const proxyVariables = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** Returns the name of a variable that sends plain HTTP through a proxy. */
export const proxyVariable = (env: Environment = process.env): string | undefined =>
  proxyVariables.find((name) => (env[name] ?? '') !== '');

const loopbackNames = ['localhost', '127.0.0.1', '[::1]', '::1'];

/** Returns the variables that keep calls to this machine off a proxy, where there is one. */
function withoutProxy(env: Environment): Readonly<Record<string, string>> {
  if (proxyVariable(env) === undefined) return {};
  const listed = [env['NO_PROXY'] ?? '', env['no_proxy'] ?? '']
    .flatMap((list) => list.split(','))
    .map((name) => name.trim());
  const all = [...new Set([...listed, ...loopbackNames])].filter((name) => name !== '').join(',');
  return { NO_PROXY: all, no_proxy: all };
}

/** Tells whether we are a step of a GitHub workflow, and which file takes its summary. */
export const githubActionsStep = ({ GITHUB_ACTIONS, GITHUB_STEP_SUMMARY }: Environment = process.env) => ({
  isOne: GITHUB_ACTIONS === 'true',
  summaryFile: GITHUB_STEP_SUMMARY || undefined,
});

/** Returns address and admin key of a running simulator, as `exec` or a person set them in the environment. */
export const simFromEnvironment = (
  { LOYALTY_SIM_ADMIN_URL, LOYALTY_SIM_URL, LOYALTY_SIM_ADMIN_KEY }: Environment = process.env,
) => ({
  url: LOYALTY_SIM_ADMIN_URL || LOYALTY_SIM_URL || undefined,
  adminKey: LOYALTY_SIM_ADMIN_KEY || undefined,
});

/** Returns the settings that a simulator and its point master share. */
export const pointMasterEnvironment = (
  {
    LOYALTY_SIM_WEBHOOK_KEY,
    LOYALTY_SIM_WEBHOOK_SECRET,
    LOYALTY_SIM_URL,
    LOYALTY_SIM_API_KEY,
  }: Environment = process.env,
) => ({
  key: LOYALTY_SIM_WEBHOOK_KEY || undefined,
  secret: LOYALTY_SIM_WEBHOOK_SECRET || undefined,
  serviceUrl: LOYALTY_SIM_URL || undefined,
  apiKey: LOYALTY_SIM_API_KEY || undefined,
});

/** Returns all options as file, environment and flags set them. Throws an `InputError` that names every wrong one. */
export function loadConfig({ flags = {}, env = process.env, folder = process.cwd() }: Sources = {}): Config {
  const file = configPath(flags, env, folder);
  const settings = [...(file === undefined ? [] : fileSettings(file)), ...variables(env), ...flagSettings(flags)];
  checkSettings(settings);
  return merge(settings);
}

/** Checks a config file. Throws an `InputError` that names every mistake. */
export const checkConfigFile = (path: string): void => checkSettings(fileSettings(path));

function checkSettings(settings: readonly Setting[]): void {
  const diagnostics = settings.flatMap(settingErrors);
  if (diagnostics.length > 0) throw diagnosticsError(diagnostics);
}

/** Returns the config file that is read, if there is one. */
export function configPath(
  { config }: Flags,
  env: Environment = process.env,
  folder = process.cwd(),
): string | undefined {
  const named = typeof config === 'string' ? config : env['LOYALTY_SIM_CONFIG'];
  if (named !== undefined) return resolve(folder, named);
  const path = resolve(folder, defaultFile);
  return existsSync(path) ? path : undefined;
}

function fileSettings(path: string): Setting[] {
  const file = readConfigFile(path);
  return Object.entries(file.values)
    .filter(([name]) => name !== '$schema')
    .map(([name, value]) => ({
      name,
      value: fromFolder(dirname(path), value, known.get(name)),
      locate: (inner) => ({ path: [name, ...inner], file: path, ...file.locate([name, ...inner]) }),
    }));
}

function fromFolder(folder: string, value: unknown, option: OptionDefinition | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => fromFolder(folder, item, option));
  return typeof value === 'string' && value !== '' && option?.isPath?.(value) ? resolve(folder, value) : value;
}

function variables(env: Environment): Setting[] {
  const byVariable = new Map(optionEntries.map(([name]) => [environmentVariableName(name), name] as const));
  return Object.entries(env)
    .filter(([variable]) => variable.startsWith(prefix) && !outputs.has(variable) && !otherVariables.includes(variable))
    .map(([variable, text = '']) => {
      const name = byVariable.get(variable);
      if (name === undefined) {
        const hint = didYouMean(variable, [...byVariable.keys(), ...otherVariables]);
        throw new InputError(`There is no environment variable ${variable}${hint || '; see loyalty-sim start --help'}`);
      }
      const option = options[name] as OptionDefinition;
      return {
        name,
        value: readTexts(option, option.isRepeatable ? text.split(',') : [text]),
        locate: (inner) => ({ path: [variable, ...fieldsOf(option, inner)] }),
      };
    });
}

function flagSettings(flags: Flags): Setting[] {
  return optionEntries.flatMap(([name, option]) => {
    const given = flags[flagKey(name, option)];
    if (given === undefined) return [];
    const texts = typeof given === 'boolean' ? [String(given)] : typeof given === 'string' ? [given] : given;
    return [
      {
        name,
        value: readTexts(option, texts),
        locate: (inner) => ({ path: [flagName(name, option), ...fieldsOf(option, inner)] }),
      },
    ];
  });
}

/** Returns the way to a field of what was given as JSON; a pair such as `A-24=twice` is named in its message. */
const fieldsOf = ({ read }: OptionDefinition, inner: JsonPath): JsonPath => (read === readJson ? inner : []);

const readTexts = (option: OptionDefinition, texts: readonly string[]): unknown => option.read?.(texts) ?? texts.at(-1);

function settingErrors({ name, value, locate }: Setting): Diagnostic[] {
  const option = known.get(name);
  if (!option) {
    const hint = didYouMean(name, known.keys());
    return [{ ...errorAt([], `is not an option${hint}`), ...locate([]) }];
  }
  return validateOption(name, option, value).map(({ path, message }) => ({ ...errorAt([], message), ...locate(path) }));
}

/** Merges settings: later ones win, but assumptions add up. */
function merge(settings: readonly Setting[]): Config {
  const merged: Record<string, unknown> = {};
  for (const { name, value } of settings) {
    merged[name] = name === 'assumptions' ? { ...(merged[name] as object), ...(value as object) } : value;
  }
  const parsed = optionEntries.map(([name, option]) => {
    const given = merged[name];
    return [name, given === undefined ? parsedDefault(option) : parseOption(option, given)] as const;
  });
  // The table's own schemas have parsed each of its options.
  return Object.fromEntries(parsed) as Config;
}
