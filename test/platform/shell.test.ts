import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlLine, quoteWord } from '../../src/core/lib/shell-words.ts';
import { shellCommand, shellOf } from '../../src/platform/shell.ts';

describe('the shell that a line is pasted into', () => {
  it.each([
    { platform: 'linux', env: { PROMPT: '$P$G' }, shell: 'posix' },
    { platform: 'darwin', env: {}, shell: 'posix' },
    { platform: 'win32', env: { PROMPT: '$P$G' }, shell: 'cmd' },
    { platform: 'win32', env: { PSModulePath: 'C:\\Modules' }, shell: 'powershell' },
    { platform: 'win32', env: { PROMPT: '$P$G', SHELL: '/usr/bin/bash' }, shell: 'posix' },
  ] as const)('is $shell on $platform with $env', ({ platform, env, shell }) => {
    expect(shellOf(env, platform)).toBe(shell);
  });
});

describe('a curl line', () => {
  const args = [
    '-H',
    'apikey: k1',
    'http://127.0.0.1:4010/api/v3/contacts/id?email=a&b=c',
    '-d',
    '{"street":"It\'s 1"}',
  ];

  it('has single quotes for a POSIX shell', () => {
    expect(curlLine(args, 'posix')).toBe(
      String.raw`curl -H 'apikey: k1' 'http://127.0.0.1:4010/api/v3/contacts/id?email=a&b=c' -d '{"street":"It'\''s 1"}'`,
    );
  });

  it('has double quotes for cmd.exe, doubled inside', () => {
    expect(curlLine(args, 'cmd')).toBe(
      `curl -H "apikey: k1" "http://127.0.0.1:4010/api/v3/contacts/id?email=a&b=c" -d "{""street"":""It's 1""}"`,
    );
  });

  it('keeps PowerShell from its own curl and its own quotes', () => {
    expect(curlLine(['-d', '{"a":1}', 'http://localhost'], 'powershell')).toBe(
      'curl.exe --% -d "{""a"":1}" http://localhost',
    );
  });
});

describe('a quoted word', () => {
  it.each(['', "it's", 'a b', '$HOME', '`id`', '*', 'a\nb', String.raw`\"`, 'ä€', '!x', '~'])(
    'reaches a program of a POSIX shell as it is: %j',
    (word) => {
      const said = execFileSync('/bin/sh', ['-c', `printf '%s.' ${quoteWord(word, 'posix')}`], { encoding: 'utf8' });
      expect(said).toBe(`${word}.`);
    },
  );

  it.each([
    { word: String.raw`C:\folder\ `.trim(), quoted: String.raw`"C:\folder\\"` },
    { word: String.raw`a\"b`, quoted: String.raw`"a\\""b"` },
    { word: '', quoted: '""' },
    { word: 'plain-1.yaml', quoted: 'plain-1.yaml' },
  ])('has doubled backslashes before a mark on Windows: $word', ({ word, quoted }) => {
    expect(quoteWord(word, 'cmd')).toBe(quoted);
  });
});

describe('a line for the shell of the system', () => {
  it('runs in /bin/sh', () => {
    expect(shellCommand('node till.js', { platform: 'linux', env: {} })).toEqual({
      file: '/bin/sh',
      args: ['-c', 'node till.js'],
      isVerbatim: false,
    });
  });

  it('runs in cmd.exe, which takes off the outer marks alone', () => {
    const env = { comspec: String.raw`C:\Windows\system32\cmd.exe` };
    expect(shellCommand('node "my till.js"', { platform: 'win32', env })).toEqual({
      file: String.raw`C:\Windows\system32\cmd.exe`,
      args: ['/d', '/s', '/c', '"node "my till.js""'],
      isVerbatim: true,
    });
  });
});
