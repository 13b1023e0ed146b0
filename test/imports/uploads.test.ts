import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fileName, importPath, openFileShop, transactionsXml } from '../support/receipt-files.ts';
import type { Shop } from '../support/receipt-files.ts';
import { folderWith } from '../support/folders.ts';

const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

const opened: Shop[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ sim }) => sim.close()));
});

/** A shop whose folder is served by SFTP and FTP. */
async function openServed(options: Parameters<typeof openFileShop>[0] = {}): Promise<Shop & { sftp: URL; ftp: URL }> {
  const shop = await openFileShop({
    sftpPort: 0,
    ftpPort: 0,
    importUser: 'till',
    importPassword: 'open-sesame',
    ...options,
  });
  opened.push(shop);
  await shop.sim.listen({ port: 0 });
  return { ...shop, sftp: new URL(shop.sim.sftpUrl ?? ''), ftp: new URL(shop.sim.ftpUrl ?? '') };
}

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

async function run(program: string, args: readonly string[], { input = '', env = {} } = {}): Promise<Ran> {
  const child = spawn(program, args, { env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

// The first value of an option counts, and -b would set BatchMode.
const sshOptions = [
  '-o',
  'BatchMode=no',
  '-o',
  'StrictHostKeyChecking=no',
  '-o',
  'UserKnownHostsFile=/dev/null',
  '-o',
  'LogLevel=ERROR',
];

/** Runs OpenSSH's sftp, which asks a program for the password. */
function sftp({ port }: URL, commands: string, password = 'open-sesame'): Promise<Ran> {
  const askpass = join(folderWith(), 'askpass');
  writeFileSync(askpass, `#!/bin/sh\necho '${password}'\n`, { mode: 0o755 });
  const env = { SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' };
  const onePrompt = ['-o', 'NumberOfPasswordPrompts=1'];
  return run('sftp', ['-P', port, ...sshOptions, ...onePrompt, '-b', '-', 'till@127.0.0.1'], {
    input: commands,
    env,
  });
}

/** Runs lftp, whose ssh would keep each key under its port in the user's own file: one day a port comes again, with another key. */
const lftp = (url: URL, commands: string): Promise<Ran> =>
  run('lftp', [
    '-u',
    'till,open-sesame',
    '-e',
    `set sftp:connect-program "ssh -a -x ${sshOptions.join(' ')}"; set net:max-retries 1; set net:timeout 10; set net:reconnect-interval-base 1; ${commands}; bye`,
    url.href,
  ]);

const localFile = (content = transactionsXml()): string => join(folderWith({ [fileName()]: content }), fileName());

async function expectImported(shop: Shop): Promise<void> {
  const { items } = await shop.batch();
  expect(items[0]?.files).toEqual([expect.objectContaining({ name: fileName(), status: 'imported', imported: 1 })]);
}

describe('an upload', () => {
  it.skipIf(!has('sftp'))("by OpenSSH's sftp", async () => {
    const shop = await openServed();
    const { output } = await sftp(
      shop.sftp,
      `cd ${importPath}\nput ${localFile()} upload.part\nrename upload.part ${fileName()}\nls -l\n`,
    );
    expect(output).toContain(fileName());
    await expectImported(shop);
  });

  it.skipIf(!has('lftp'))('by lftp over SFTP', async () => {
    const shop = await openServed();
    const { code, output } = await lftp(shop.sftp, `put -O ${importPath} ${localFile()}`);
    expect([code, output]).toEqual([0, expect.not.stringContaining('failed')]);
    await expectImported(shop);
  });

  it.skipIf(!has('lftp'))('by lftp over FTP', async () => {
    const shop = await openServed();
    const { code } = await lftp(shop.ftp, `set ftp:ssl-allow no; cd ${importPath}; put ${localFile()}; ls`);
    expect(code).toBe(0);
    await expectImported(shop);
  });

  it.skipIf(!has('curl'))('by curl over FTP', async () => {
    const shop = await openServed();
    const target = `${shop.ftp.href}/${importPath}/`.replace(/(?<!:)\/\//g, '/');
    const { code } = await run('curl', ['-sS', '-T', localFile(), '--user', 'till:open-sesame', target]);
    expect(code).toBe(0);
    await expectImported(shop);
  });

  it.skipIf(!has('python3'))("by Python's ftplib", async () => {
    const shop = await openServed();
    const script = `
import ftplib, sys
ftp = ftplib.FTP()
ftp.connect('127.0.0.1', int(sys.argv[1]))
ftp.login('till', 'open-sesame')
ftp.cwd('${importPath}')
with open(sys.argv[2], 'rb') as file:
    print(ftp.storbinary('STOR upload.tmp', file))
print(ftp.rename('upload.tmp', '${fileName()}'), ftp.nlst(), ftp.size('${fileName()}'))
ftp.quit()
`;
    const { code, output } = await run('python3', ['-c', script, shop.ftp.port, localFile()]);
    expect([code, output]).toEqual([0, expect.stringContaining(fileName())]);
    await expectImported(shop);
  });

  it.skipIf(!has('lftp'))('goes to the tenant whose path it names', async () => {
    const shop = await openServed();
    await lftp(shop.sftp, `put -O t/suite-1/${importPath} ${localFile()}`);
    expect((await shop.batch('suite-1')).items[0].files[0]).toMatchObject({ imported: 1 });
  });
});

/** Uploads the file by a program, as an exporter would. */
const uploads: readonly { readonly program: string; readonly by: string; readonly upload: Upload }[] = [
  {
    program: 'curl',
    by: 'curl over FTP',
    upload: ({ ftp }, file) =>
      run('curl', ['-sS', '-T', file, '--user', 'till:open-sesame', `${ftp.href}/${importPath}/`]),
  },
  {
    program: 'sftp',
    by: "OpenSSH's sftp",
    upload: ({ sftp: url }, file) => sftp(url, `cd ${importPath}\nput ${file}\n`),
  },
  {
    program: 'python3',
    by: "Python's ftplib",
    upload: ({ ftp }, file) => run('python3', ['-c', storeByFtplib, ftp.port, file]),
  },
];

type Upload = (shop: Awaited<ReturnType<typeof openServed>>, file: string) => Promise<Ran>;

const storeByFtplib = `
import ftplib, sys
ftp = ftplib.FTP(timeout=10)
ftp.connect('127.0.0.1', int(sys.argv[1]))
ftp.login('till', 'open-sesame')
with open(sys.argv[2], 'rb') as file:
    ftp.storbinary('STOR ${importPath}/${fileName()}', file)
`;

describe('a server that is gone in the middle of an upload', () => {
  for (const { program, by, upload } of uploads) {
    it.skipIf(!has(program))(`leaves what had arrived, and is back for the next upload by ${by}`, async () => {
      const shop = await openServed();
      await shop.post('/__admin/imports/faults', { fault: { break: 700 }, times: 1 });
      const content = transactionsXml();
      const gone = await upload(shop, localFile(content));
      expect(gone.code, gone.output).not.toBe(0);
      expect(readFileSync(join(shop.root, importPath, fileName()), 'utf8')).toBe(content.slice(0, 700));
      const { waiting, count } = await shop.batch();
      expect([waiting, count]).toEqual([[{ name: fileName(), reason: expect.stringContaining('is not whole') }], 0]);
      const again = await upload(shop, localFile(content));
      expect([again.code, again.output]).toEqual([0, expect.not.stringContaining('failed')]);
      await expectImported(shop);
    });
  }
});

it.skipIf(!has('lftp')).each(['ftp', 'sftp'] as const)('an upload is resumed by lftp over %s', async (scheme) => {
  const shop = await openServed();
  await shop.post('/__admin/imports/faults', { fault: { break: 700 }, times: 1 });
  const settings = 'set ftp:ssl-allow no; set net:max-retries 5; set cmd:fail-exit yes';
  const { code } = await lftp(shop[scheme], `${settings}; put -O ${importPath} ${localFile()}`);
  expect(code).toBe(0);
  expect((await shop.get('/__admin/imports/faults')).body.rules[0].fired).toBe(1);
  await expectImported(shop);
});

describe('the servers', () => {
  it.skipIf(!has('sftp'))('refuse another password, and never log one', async () => {
    const shop = await openServed();
    const { code, output } = await sftp(shop.sftp, 'ls\n', 'wrong-password');
    expect([code, output]).toEqual([255, expect.stringContaining('Permission denied')]);
    const refused = await run('curl', ['-sS', '-T', localFile(), '--user', 'till:wrong', `${shop.ftp.href}x`]);
    expect(refused.code).toBe(67);
  });

  it.skipIf(!has('sftp'))('keep a client in the folder, links and dots included', async () => {
    const shop = await openServed();
    const outside = folderWith({ secret: 'secret' });
    symlinkSync(outside, join(shop.root, 'link'));
    const got = join(folderWith(), 'got');
    for (const path of ['/etc/passwd', '../../../../etc/passwd', 'link/secret', '/link/secret']) {
      await sftp(shop.sftp, `get ${path} ${got}\n`);
      expect([path, existsSync(got)]).toEqual([path, false]);
    }
    await sftp(shop.sftp, `put ${localFile()} link/planted\n`);
    expect(existsSync(join(outside, 'planted'))).toBe(false);
    await lftp(shop.ftp, `put -O link ${localFile()}; put -O ../../.. ${localFile()}`);
    expect(existsSync(join(outside, fileName()))).toBe(false);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it.skipIf(!has('lftp'))('tell of a file that its sender deletes before a batch took it', async () => {
    const shop = await openServed();
    await lftp(shop.sftp, `cd ${importPath}; put ${localFile()}; rm ${fileName()}`);
    expect((await shop.get('/__admin/imports')).body.items[0].files).toEqual([
      expect.objectContaining({ status: 'withdrawn', missing: ['f-1'] }),
    ]);
  });

  it('leave a file alone whose upload is under way', async () => {
    const shop = await openServed();
    const script = `
import ftplib, sys
ftp = ftplib.FTP()
ftp.connect('127.0.0.1', int(sys.argv[1]))
ftp.login('till', 'open-sesame')
ftp.cwd('${importPath}')
data = ftp.transfercmd('STOR ${fileName()}')
data.sendall(open(sys.argv[2], 'rb').read())
print('sent', flush=True)
sys.stdin.readline()
data.close()
print(ftp.voidresp())
`;
    const child = spawn('python3', ['-c', script, shop.ftp.port, localFile()]);
    await once(child.stdout, 'data');
    await expect.poll(() => readFileSync(join(shop.root, importPath, fileName()), 'utf8')).toBe(transactionsXml());
    const { waiting, count } = await shop.batch();
    expect([waiting, count]).toEqual([[{ name: fileName(), reason: 'is being uploaded' }], 0]);
    child.stdin.end('\n');
    await once(child, 'close');
    await expectImported(shop);
  });

  it.skipIf(!has('ssh-keyscan'))('keep their host key beside the saved state, and have a new one without', async () => {
    const data = join(folderWith(), 'shop.json');
    const keyOf = async (options: object): Promise<string> => {
      const shop = await openServed(options);
      const { output } = await run('ssh-keyscan', ['-p', shop.sftp.port, '127.0.0.1']);
      await shop.sim.close();
      return /ecdsa-sha2-nistp256 \S+/.exec(output)?.[0] ?? output;
    };
    const kept = await keyOf({ data });
    expect([kept, await keyOf({ data }), await keyOf({})]).toEqual([
      expect.stringContaining('ecdsa-sha2'),
      kept,
      expect.not.stringContaining(kept),
    ]);
    expect(statSync(`${data}.sftp-key`).mode & 0o077).toBe(0);
    writeFileSync(`${data}.sftp-key`, 'no key');
    await expect(openServed({ data })).rejects.toThrow(`${data}.sftp-key can't be used as the host key`);
  });

  it('need a folder, and a password where others can reach them', async () => {
    await expect(openFileShop({ importFolder: undefined, sftpPort: 0 })).rejects.toThrow(
      'sftpPort: is given, and there is no importFolder',
    );
    await expect(openFileShop({ host: '0.0.0.0', ftpPort: 0 })).rejects.toThrow('set importPassword');
  });
});
