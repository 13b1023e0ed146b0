/** Runs the client programs of the table against one simulator, each in a tenant of its own, and compares the verdicts. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { ClientProgram } from '../clients/table/client-program.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { folderWith } from './folders.ts';

const programs = resolve('test/clients/table/programs');
const isThere = new Map<string, boolean>();
const succeeds = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

const moduleChecks: Readonly<Record<string, (module: string) => boolean>> = {
  python3: (module) => succeeds('python3', '-c', `import ${module}`),
  perl: (module) => succeeds('perl', `-M${module}`, '-e', '1'),
  php: (module) => succeeds('php', '-r', `exit(extension_loaded('${module}') ? 0 : 1);`),
  ruby: (module) => succeeds('ruby', '-r', module, '-e', '1'),
};

export function has(need: string): boolean {
  const [command = '', module] = need.split(/:(.*)/s);
  const known = isThere.get(need);
  if (known !== undefined) return known;
  const found = succeeds('bash', '-c', `PATH=$PATH:/usr/sbin command -v ${command}`);
  const all = found && (!module || moduleChecks[command]?.(module) === true);
  isThere.set(need, all);
  return all;
}

/** Lists what a program lacks on this machine. */
export const missingFor = ({ needs, via }: ClientProgram): string[] =>
  [...needs, ...(via ? [via.replace('-retrying', '')] : [])].filter((need) => !has(need));

/** Compiles the Java programs, once for all of them; returns where the classes are. */
export function compileJava(): string {
  const classes = folderWith();
  const folder = resolve(programs, 'java');
  if (!existsSync(folder) || !has('javac')) return classes;
  const sources = readdirSync(folder).filter((name) => name.endsWith('.java'));
  const { status, stderr } = spawnSync('javac', ['-J-XX:TieredStopAtLevel=1', '-d', classes, ...sources], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return classes;
}

interface Place {
  readonly url: string;
  /** Says where requests go in: the simulator, or the proxy before it. */
  readonly entrance: string;
  readonly classes: string;
}

const interpreters: Readonly<Record<string, readonly string[]>> = {
  // Half of a short program's time with fetch is optimizing its parser, which is written in WebAssembly.
  '.mjs': [process.execPath, '--liftoff-only'],
  '.sh': ['bash'],
  '.py': ['python3'],
  '.php': ['php'],
  '.rb': ['ruby'],
  '.pl': ['perl', '-I', resolve(programs, 'perl')],
};

/** Splits `java/Till.java right` into a command. */
function commandOf(line: string, classes: string): readonly string[] {
  const [file = '', ...args] = line.split(' ');
  const type = extname(file);
  if (type === '.java') {
    const name = file.replace(/^java\//, '').replace(/\.java$/, '');
    return ['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', classes, name, ...args];
  }
  return [...(interpreters[type] ?? []), resolve(programs, file), ...args];
}

/** Runs a process to its end; it may be killed, by itself, but not fail. */
async function runProcess(line: string, { classes }: Place, env: NodeJS.ProcessEnv): Promise<void> {
  const [command = '', ...args] = commandOf(line, classes);
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => (said += String(text)));
  const timer = setTimeout(() => child.kill('SIGKILL'), 100_000);
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`${line} ended with ${code ?? signal}: ${said}`);
}

async function ask(place: Place, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${place.url}/__admin${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

function environment(place: Place, tenant: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('LOYALTY_SIM_') && !name.startsWith('NODE_') && !name.startsWith('VITEST'),
  );
  return {
    ...Object.fromEntries(own),
    LOYALTY_SIM_URL: `${place.entrance}/t/${tenant}`,
    LOYALTY_SIM_ADMIN_URL: `${place.url}/__admin`,
    TENANT: tenant,
    WORK_FOLDER: folderWith(),
  };
}

async function runOnce(program: ClientProgram, place: Place, tenant: string): Promise<Verdict> {
  const { rules = [], policy, run } = program;
  await ask(place, 'POST', '/tenants', { name: tenant, scenario: { rules, ...(policy && { policy }) } });
  const env = environment(place, tenant);
  for (const step of typeof run === 'string' ? [run] : run) {
    const lines = typeof step === 'string' ? [step] : step;
    await Promise.all(lines.map((line) => runProcess(line, place, env)));
  }
  const verdict = (await ask(place, 'GET', `/verdict?tenant=${tenant}`)) as Verdict;
  await ask(place, 'DELETE', `/tenants/${tenant}`);
  return verdict;
}

/**
 * Tells whether a verdict falls short of what was expected, and the simulator says that the machine kept it from judging.
 * No lateness excuses a failure that was not expected.
 */
export function isHindered(program: ClientProgram, verdict: Verdict): boolean {
  const differences = differencesOf(program, verdict);
  const isLate = /simulator itself was [^;"]* late/.test(JSON.stringify(verdict));
  const isShort = verdict.verdict === 'FAIL' ? differences.every((one) => one.startsWith(lacking)) : true;
  return differences.length > 0 && isLate && isShort && verdict.verdict !== 'PASS';
}

/** Runs a program; again, at most four times, where the machine was too busy to judge it. */
export async function runProgram(program: ClientProgram, place: Place): Promise<Verdict> {
  for (let i = 1; ; i++) {
    const verdict = await runOnce(program, place, `${program.name}${i > 1 ? `-${i}` : ''}`);
    if (!isHindered(program, verdict) || i === 5) return verdict;
  }
}

const rulesAt = (verdict: Verdict, level: string): string[] => [
  ...new Set(
    verdict.operations.flatMap(({ findings }) => findings.filter((one) => one.level === level).map(({ rule }) => rule)),
  ),
];

const among =
  (list: readonly string[]) =>
  (rule: string): boolean =>
    rule.split('|').some((one) => list.includes(one));

/** Begins the difference of a verdict that fails, but not by a rule that is meant. */
const lacking = 'expected a failure by';

/** Tells how a verdict differs from what was expected; nothing where it is right. */
export function differencesOf({ expected }: ClientProgram, verdict: Verdict): string[] {
  const { rules = [], also = [], says } = expected;
  const allowed = [expected.verdict].flat();
  const [failed, noted] = [rulesAt(verdict, 'fail'), rulesAt(verdict, 'note')];
  const isNoted = verdict.verdict === 'PASS' && (rules.length > 0 ? rules.every(among(noted)) : noted.length > 0);
  const isAllowed = allowed.includes(verdict.verdict) || (allowed.includes('NOTED') && isNoted);
  if (!isAllowed)
    return [
      `expected ${allowed.join(' or ')}, got ${verdict.verdict}${noted.length > 0 ? ` with notes by ${noted.join(' ')}` : ''}: ${verdict.reason}`,
    ];
  const known = new Set([...rules.flatMap((rule) => rule.split('|')), ...also]);
  const isFailed = verdict.verdict === 'FAIL';
  const missing = isFailed ? rules.filter((rule) => !among(failed)(rule)) : [];
  const wrong = isFailed && known.size > 0 ? failed.filter((rule) => !known.has(rule)) : [];
  return [
    ...missing.map((rule) => `${lacking} ${rule}, got ${failed.join(' ')}`),
    ...wrong.map((rule) => `${rule} failed too: ${messagesBy(verdict, rule)}`),
    ...(says && !says.test(JSON.stringify(verdict)) ? [`expected to hear ${String(says)}`] : []),
  ];
}

const messagesBy = ({ operations }: Verdict, rule: string): string =>
  operations
    .flatMap(({ findings }) => findings)
    .filter((finding) => finding.rule === rule && finding.level === 'fail')
    .map(({ message }) => message)
    .join('; ');
