/** What `ci/` has for CI systems: its forms by the systems' own schemas, its steps by bash as an agent runs them. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { withFetch } from '../support/clients.ts';
import { tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';
import { inTime } from '../support/in-time.ts';

afterEach(tidy);

/** Adds bonus points, and repeats them blindly when their response is lost: R10 and R11. */
const client = `${withFetch}
const send = () => fetch(process.env.LOYALTY_SIM_URL + '/api/v3/point-accounts/transactions', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify([{
    contactId: '5a0e7c1e-0001-4000-8000-000000000001', definitionId: 1, amount: 10,
    timeStamp: '2026-03-01T12:00:00Z', source: 'Adjustment', description: 'Welcome back',
  }]),
});
await send().catch(() => new Promise((resolve) => setTimeout(resolve, 200)).then(send));
console.log('client "done"');
`;

/** A project that has installed the package. */
function project(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = folderWith({ 'client.mjs': client, 'package.json': { private: true }, ...files });
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  chmodSync('dist/cli.cjs', 0o755);
  symlinkSync(resolve('dist/cli.cjs'), join(folder, 'node_modules/.bin/loyalty-sim'));
  return folder;
}

type Texts = Readonly<Record<string, string>>;

/** Puts values where a template names its inputs, as CI systems do. */
const filled = (text: string, inputs: Texts, form: RegExp): string =>
  text.replaceAll(form, (_, name: string) => {
    const value = inputs[name];
    if (value === undefined) throw new Error(`the template names ${name}, which is no input of it`);
    return value;
  });

const inGitHub = /\$\{\{ inputs\.([\w-]+) \}\}/g;
const inGitLab = /\$\[\[ inputs\.([\w-]+) \]\]/g;
const inAzure = /\$\{\{ parameters\.([\w-]+) \}\}/g;

interface Step {
  readonly folder: string;
  readonly script: string;
  readonly env: Texts;
}

/** Runs a step as an agent does: with bash, which ends at the first command that fails. */
function runStep({ folder, script, env }: Step) {
  // What this machine's own CI sets is none of the step's.
  const { GITHUB_ACTIONS: _, GITHUB_STEP_SUMMARY: __, ...own } = process.env;
  const ended = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...own, ...env },
    encoding: 'utf8',
  });
  const read = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr, read };
}

const hasBash = spawnSync('bash', ['--version']).status === 0;
const lost = '--scenario=lost-bulk-points\n\n--log=silent\n';

describe.skipIf(!hasBash)('a CI system', () => {
  interface Action {
    readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
    readonly runs: { readonly steps: readonly { readonly run?: string; readonly env?: Texts }[] };
  }
  const action = parse(readFileSync('ci/github/action.yml', 'utf8')) as Action;

  function github(given: Texts, folder = project()) {
    const defaults = Object.entries(action.inputs).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const inputs = { ...Object.fromEntries(defaults), ...given };
    const { run = '', env = {} } = action.runs.steps[0] ?? {};
    const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text, inputs, inGitHub)]));
    return runStep({
      folder,
      script: run,
      env: { ...own, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: 'summary.md', GITHUB_OUTPUT: 'output.txt' },
    });
  }

  it('has a step of a GitHub action that annotates the job and tells the verdict', inTime, () => {
    const { code, stdout, stderr, read } = github({ run: 'node client.mjs', options: lost });
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'client "done"\n' });
    expect(stderr).toMatch(/^::error title=.*R10/m);
    expect(read('output.txt')).toBe('verdict=FAIL\n');
    expect(read('summary.md')).toContain('R10');
    expect(read('loyalty-sim-reports/verdict.xml')).toContain('<failure');
    expect(read('loyalty-sim-reports/verdict.html')).toContain('</html>');
  });

  it('has a step of a GitHub action that takes commands with quotes and several lines', inTime, () => {
    const run = 'echo "it\'s $((1 + 1))"\nnode client.mjs > /dev/null';
    const { code, stdout, read } = github({ run, reports: 'my reports' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "it's 2\n" });
    expect(read('output.txt')).toBe('verdict=PASS\n');
    expect(read('my reports/verdict.json')).toContain('"verdict": "PASS"');
  });

  it('has a step of a GitHub action that runs another command', inTime, () => {
    const { code, read } = github({
      run: 'node client.mjs',
      command: 'conformance',
      options: '--case=addPointTransactions/lost-after',
    });
    expect(code).toBe(1);
    expect(read('output.txt')).toBe('verdict=FAIL\n');
    expect(read('summary.md')).toContain('R11');
  });

  it('has a step of a GitHub action that passes on how the command failed', inTime, () => {
    const { code } = github({ run: 'exit 7' });
    expect(code).toBe(7);
  });

  it('has a step of a GitHub action that says what is wrong with an option', inTime, () => {
    const { code, stderr, read } = github({ run: 'true', options: '--scenarios=lost-redeem' });
    expect(code).toBe(2);
    expect(stderr).toContain('--scenario');
    expect(read('output.txt')).toBe('');
  });

  it('has a GitLab job that keeps reports', inTime, () => {
    const [head, body] = parseAllDocuments(readFileSync('ci/gitlab.yml', 'utf8'));
    const spec = head?.toJS() as { spec: { inputs: Readonly<Record<string, { readonly default?: string }>> } };
    const defaults = Object.entries(spec.spec.inputs).map(([name, { default: value = '' }]) => [name, value]);
    const inputs = { ...Object.fromEntries(defaults), run: 'node client.mjs', options: lost } as Texts;
    const [job] = Object.values(
      body?.toJS() as Readonly<Record<string, { readonly variables: Texts; readonly script: readonly string[] }>>,
    );
    const variables = Object.entries(job?.variables ?? {});
    const env = Object.fromEntries(variables.map(([name, text]) => [name, filled(text, inputs, inGitLab)]));
    const { code, read } = runStep({ folder: project(), script: job?.script.join('\n') ?? '', env });
    expect(code).toBe(1);
    expect(read('loyalty-sim-reports/verdict.xml')).toContain('<failure');
  });

  it('has steps of an Azure pipeline that keep reports', inTime, () => {
    interface Template {
      readonly parameters: readonly { readonly name: string; readonly default?: string }[];
      readonly steps: readonly { readonly bash?: string; readonly env?: Texts }[];
    }
    const { parameters, steps } = parse(readFileSync('ci/azure.yml', 'utf8')) as Template;
    const defaults = Object.fromEntries(parameters.map(({ name, default: value = '' }) => [name, value]));
    const inputs = { ...defaults, run: 'node client.mjs', options: lost };
    const { bash = '', env = {} } = steps[0] ?? {};
    const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text, inputs, inAzure)]));
    const { code, read } = runStep({ folder: project(), script: bash, env: own });
    expect(code).toBe(1);
    expect(read('loyalty-sim-reports/verdict.xml')).toContain('<failure');
  });

  it('has a Jenkins pipeline whose shell step runs a matrix of scenarios', inTime, () => {
    const text = readFileSync('ci/Jenkinsfile', 'utf8');
    // In a Groovy text of three quotes, two backslashes are one.
    const script = text.match(/'''\n(.*?)'''/s)?.[1]?.replaceAll('\\\\', '\\') ?? '';
    const folder = project({ 'package.json': { private: true, scripts: { test: 'node client.mjs' } } });
    cpSync('scenarios/lost-bulk-points.yaml', join(folder, 'scenarios/lost-bulk-points.yaml'));
    const { code, stderr, read } = runStep({ folder, script, env: {} });
    expect(stderr).toContain('R10');
    expect(code).toBe(1);
    expect(read('loyalty-sim-reports/verdict.xml')).toContain('<failure');
  });
});

/** Holds validators that are no dependencies of the project; `.ci/run` installs them. */
const tools = process.env['CI_TOOLS'];

describe.skipIf(tools === undefined)('the schemas of CI systems, where CI_TOOLS names their validators,', () => {
  const page = readFileSync('docs/ci.md', 'utf8');
  const shown = (language: string): readonly string[] =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);

  it('take the GitHub action, and the workflows of the page', () => {
    interface Validator {
      readonly validateAction: (text: string) => { readonly errors: readonly unknown[] };
      readonly validateWorkflow: (text: string) => { readonly errors: readonly unknown[] };
    }
    const validator = createRequire(`${tools}/x.js`)('@action-validator/core') as Validator;
    const text = readFileSync('ci/github/action.yml', 'utf8');
    expect(validator.validateAction(text).errors).toEqual([]);
    expect(validator.validateAction(text.replace('shell: bash', 'shel: bash')).errors).not.toEqual([]);
    const workflows = shown('yaml').filter((one) => one.includes('runs-on'));
    expect(workflows.length).toBeGreaterThan(0);
    for (const workflow of workflows) expect(validator.validateWorkflow(workflow).errors).toEqual([]);
  });

  it('take the GitLab job, which their runner runs', inTime, () => {
    const runner = join(tools ?? '', 'node_modules/.bin/gitlab-ci-local');
    const include = { local: 'ci/gitlab.yml', inputs: { run: 'node client.mjs', before: 'true', options: lost } };
    const folder = project({ '.gitlab-ci.yml': { include: [include] }, '.gitignore': 'node_modules\n' });
    cpSync('ci/gitlab.yml', join(folder, 'ci/gitlab.yml'));
    const script = `git init -q . && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm a
      ${runner} --force-shell-executor loyalty-sim`;
    const { stdout, stderr, read } = runStep({ folder, script, env: {} });
    expect(stderr).toContain('json schema validated');
    expect(stdout).toContain('FAIL: 1 of 2');
    expect(read('.gitlab-ci-local/artifacts/loyalty-sim/loyalty-sim-reports/verdict.xml')).toContain('<failure');
  });
});
