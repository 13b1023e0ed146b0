import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, tidy } from '../../support/command.ts';
import { execClient } from '../../support/exec.ts';
import { folderWith } from '../../support/folders.ts';
import { inTime } from '../../support/in-time.ts';

afterEach(tidy);

const exec = (...command: readonly string[]) => runCommand(['exec', '--', ...command]);

/** Calls once, and is content with whatever comes. */
const oneCall = "await (await get('/api/v3/contacts/count')).text();";
const isGone = { rules: [{ id: 'gone', match: { endpoint: 'countContacts' }, fault: ['504'] }] };

describe('exec', () => {
  it('tells the command where the simulator is, on a port of its own', async () => {
    const client = `
    const admin = await fetch(process.env.LOYALTY_SIM_ADMIN_URL + '/health');
    const answer = await fetch(base + '/api/v3/contacts/count', { headers: { 'x-api-key': process.env.LOYALTY_SIM_API_KEY } });
    console.log(admin.status, answer.status, await answer.text(), new URL(base).port !== '4010');`;
    const { code, stdout } = await execClient(['--fixtures', 'empty', '--api-key', 'till-1'], { client });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '200 200 0 true\n' });
  });

  it('keeps calls to this machine off a proxy, and names the proxy when nothing came in', async () => {
    const client = `
    if (process.argv[2] === 'call') await get('/api/v3/contacts/count');
    console.log(process.env.NO_PROXY, process.env.no_proxy);`;
    const env = { ...process.env, http_proxy: 'http://127.0.0.1:9', NO_PROXY: 'intranet.example' };
    const { stdout, stderr } = await execClient([], { client, env });
    expect(stdout).toBe(`${'intranet.example,localhost,127.0.0.1,[::1],::1 '.repeat(2).trim()}\n`);
    expect(stderr).toContain('→ http_proxy is set: the command may send its requests to that proxy');
  });

  it('tells the command where the servers for files are, if there are any', async () => {
    const client = `
    await (await get('/api/v3/contacts/count')).text();
    console.log(process.env.LOYALTY_SIM_SFTP_URL, process.env.LOYALTY_SIM_FTP_URL);`;
    const served = await execClient(['--import-folder', folderWith(), '--sftp-port', '0', '--ftp-port', '0'], {
      client,
    });
    expect(served.stdout).toMatch(/^sftp:\/\/127\.0\.0\.1:\d+ ftp:\/\/127\.0\.0\.1:\d+\n$/);
    expect((await execClient([], { client })).stdout).toBe('undefined undefined\n');
  });

  it('passes on what the command prints, byte for byte, and adds nothing to its standard output', async () => {
    const client = `${oneCall}
    process.stdout.write(Buffer.from([0, 255, 13, 10, 195]));
    process.stderr.write('no line end');`;
    const { stdout, stderr } = await execClient([], { client });
    expect(stdout).toBe(String(Buffer.from([0, 255, 13, 10, 195])));
    expect(stderr.startsWith('no line end')).toBe(true);
  });

  it('gives the command its arguments as they are', async () => {
    const { stdout } = await exec('printf', '<%s>', 'a b', '', '*', '$HOME', '--json', "'");
    expect(stdout).toBe("<a b><><*><$HOME><--json><'>");
  });

  it.each([
    { verdict: 'PASS', code: 0, client: `${oneCall} await sleep(50); ${oneCall}` },
    { verdict: 'FAIL', code: 1, client: oneCall },
    { verdict: 'INCONCLUSIVE', code: 3, client: "await get('/api/v3/point-definitions');" },
  ])('ends with $code when the verdict is $verdict', inTime, async ({ verdict, code, client }) => {
    const ended = await execClient(['--scenario', 'gone.json'], { client, files: { 'gone.json': isGone } });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(`\n${verdict}: `);
  });

  it.each([
    { how: 'its own code', script: 'exit 7', code: 7, says: '7, which' },
    {
      how: '128 and the number of the signal that ended it',
      script: 'kill -9 $$',
      code: 137,
      says: '137 (128 + SIGKILL)',
    },
  ])("ends with the command's own failure first: $how", async ({ script, code, says }) => {
    const ended = await exec('sh', '-c', script);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(`The command itself failed with exit code ${says}`);
  });

  it.each([
    { what: 'a program that there is not', args: ['--', 'no-such-till'], says: 'There is no program "no-such-till"' },
    { what: 'a file that is no program', args: ['--', '/etc/passwd'], says: '"/etc/passwd" can\'t be run' },
    { what: 'no command', args: [], says: 'command' },
    { what: 'a report without a file', args: ['--report', 'html', '--', 'true'], says: '--report: name a file' },
    { what: 'a form that there is not', args: ['--report', 'pdf=a', '--', 'true'], says: 'not "pdf=a"' },
    { what: 'no scenario', args: ['--matrix', 'no/*.yaml', '--', 'true'], says: 'there is no folder no' },
    { what: 'both kinds', args: ['--matrix', 'a', '--scenario', 'b', '--', 'true'], says: '--scenario and --matrix' },
  ])('refuses $what before anything runs', async ({ args, says }) => {
    const { code, stdout, stderr } = await runCommand(['exec', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
  });

  it('judges each tenant that was called', inTime, async () => {
    const client =
      "await get('/t/a/api/v3/contacts/count'); await sleep(50); await get('/t/a/api/v3/contacts/count'); await get('/t/b/api/v3/contacts/count');";
    const { code, stderr } = await execClient(['--scenario', 'gone.json'], { client, files: { 'gone.json': isGone } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/PASS.*tenant a/);
    expect(stderr).toMatch(/tenant b\n[^]*\nFAIL: 1 of 2/);
  });

  it('says how many requests a reset has deleted before the verdict', async () => {
    const client = `${oneCall} await fetch(process.env.LOYALTY_SIM_ADMIN_URL + '/reset', { method: 'POST' }); ${oneCall}`;
    const { stderr } = await execClient([], { client });
    expect(stderr).toMatch(/^note: 1 of 2 requests are not judged: a reset deleted them/);
  });

  it('says why nothing is judged when a reset has deleted all requests', async () => {
    const client = `${oneCall} await fetch(process.env.LOYALTY_SIM_ADMIN_URL + '/reset', { method: 'POST' });`;
    const { code, stderr } = await execClient([], { client });
    expect(code).toBe(3);
    expect(stderr).toContain('? there is something to judge: all its requests were deleted\n');
    expect(stderr).not.toContain('received no requests');
  });

  it.each([
    ['til-7', 'no request came to tenant "til-7"; did you mean "till-7"?'],
    ['shop', 'no request came to tenant "shop"; requests came to till-7'],
  ])('leaves open a rule of the tenant %s, which nobody called', async (tenant, reason) => {
    const match = { endpoint: 'countContacts' };
    const rules = ['till-7', tenant].map((name) => ({
      id: `of-${name}`,
      match: { ...match, tenant: name },
      fault: [504],
    }));
    const client = "for (const pause of [50, 0]) { await get('/t/till-7/api/v3/contacts/count'); await sleep(pause); }";
    const { code, stderr } = await execClient(['--scenario', 's.json'], { client, files: { 's.json': { rules } } });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^PASS: .*tenant till-7: /m);
    expect(stderr).toContain(`? there is something to judge: ${reason}\n? rule of-${tenant}: never fired: `);
  });

  it('does not wait for a tenant of rules that may stay unused', async () => {
    const rules = [{ match: { tenant: 'till-8' }, optional: true, fault: '504' }];
    const { code, stderr } = await execClient(['--scenario', 's.json'], {
      client: oneCall,
      files: { 's.json': { rules } },
    });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('till-8')]);
  });

  it('says the verdict as JSON when asked, on a line of its own behind the output', async () => {
    const { stdout } = await execClient(['--json'], { client: `${oneCall} console.log('done');` });
    const [first, second = ''] = stdout.split('\n');
    expect(first).toBe('done');
    expect(JSON.parse(second)).toMatchObject({
      event: 'verdict',
      verdict: 'PASS',
      runs: [{ verdict: { requests: 1 } }],
    });
  });

  it('runs the command once for each scenario, and ends with a matrix', inTime, async () => {
    const files = { 'a.json': isGone, 'b.json': { name: 'nothing goes wrong' } };
    const { code, stderr } = await execClient(['--matrix', './*.json'], { client: oneCall, files });
    expect(code).toBe(1);
    expect(stderr).toMatch(/FAIL +\.\/a\.json +exit 0, 1 request/);
    expect(stderr).toMatch(/PASS +nothing goes wrong +exit 0, 1 request/);
  });

  it('names the mistakes in all scenarios before it runs the first', async () => {
    const files = { 'a.json': isGone, 'b.json': { rules: [{ fault: 5 }] }, 'c.json': { nme: 'c' } };
    const { code, stdout, stderr } = await execClient(['--matrix', '*.json'], { client: "console.log('ran')", files });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/b\.json:.*\n.*c\.json:.*"name"/);
  });

  it('waits for no further attempt of a command that has ended', async () => {
    const files = { 's.json': { policy: { minBackoff: '1h' }, rules: [{ match: { method: 'GET' }, fault: [504] }] } };
    const client = `await get('/api/v3/contacts/count');`;
    const { code, stderr } = await execClient(['--scenario', 's.json'], { client, files });
    expect([code, stderr]).toEqual([1, expect.stringContaining('was never repeated\n')]);
  });
});
