import { describe, expect, it } from 'vitest';
import { planSpawn } from '../../src/platform/programs.ts';
import type { ProgramPlace } from '../../src/platform/programs.ts';

const node = String.raw`C:\Program Files\nodejs\node.exe`;
const npx = String.raw`C:\Program Files\nodejs\npx.cmd`;
const files = [
  node,
  npx,
  String.raw`C:\Program Files\nodejs\npx`,
  String.raw`C:\work\till.js`,
  String.raw`C:\work\build.BAT`,
];

const windows: ProgramPlace = {
  platform: 'win32',
  env: { Path: String.raw`C:\Windows;"C:\Program Files\nodejs"`, PATHEXT: '.COM;.EXE;.BAT;.CMD' },
  folder: String.raw`C:\work`,
  isFile: (path) => files.some((file) => file.toLowerCase() === path.toLowerCase()),
  isExecutable: () => true,
};

const linux: ProgramPlace = {
  platform: 'linux',
  env: { PATH: '/usr/bin:/opt/bin' },
  folder: '/work',
  isFile: (path) => ['/opt/bin/node', '/work/till.js', './till.js'].includes(path),
  isExecutable: (path) => path === '/opt/bin/node',
};

describe('on Windows', () => {
  it.each(['node', 'NODE', 'node.exe', node, 'C:/Program Files/nodejs/node'])(
    'finds %s by PATH and PATHEXT',
    (program) => {
      const { file, args, isVerbatim } = planSpawn([program, 'a b', '"c"'], windows);
      expect([file.toLowerCase(), args, isVerbatim]).toEqual([node.toLowerCase(), ['a b', '"c"'], false]);
    },
  );

  it('runs npx.cmd in cmd.exe, not the script for other shells beside it', () => {
    expect(planSpawn(['npx', 'vitest', 'a b', '50%', 'x"y'], windows)).toEqual({
      file: 'cmd.exe',
      args: ['/e:on', '/v:off', '/d', '/s', '/c', `""${npx}" "vitest" "a b" "50%%cd:~,%" "x""y""`],
      isVerbatim: true,
    });
  });

  it('finds a batch file of the folder, which PATH does not name', () => {
    expect(planSpawn(['build'], windows).args.at(-1)).toBe(String.raw`""C:\work\build.bat""`);
  });

  it('looks for programs where there is no PATHEXT', () => {
    expect(planSpawn(['node'], { ...windows, env: { PATH: String.raw`C:\Program Files\nodejs` } }).file).toBe(node);
  });

  it.each([
    { what: 'a script', command: ['./till.js'], says: 'name the program that runs it, such as node ./till.js' },
    { what: 'a name that is nowhere', command: ['nod'], says: 'There is no program "nod"; name one after --' },
    { what: 'no name', command: [], says: 'There is no program ""' },
    { what: 'a line break for a batch file', command: ['npx', 'a\nb'], says: 'takes no argument with a line break' },
  ])('says what is wrong with $what', ({ command, says }) => {
    expect(() => planSpawn(command, windows)).toThrow(says);
  });
});

describe('on other systems', () => {
  it('leaves the search to the system', () => {
    expect(planSpawn(['node', 'a b'], linux)).toEqual({ file: 'node', args: ['a b'], isVerbatim: false });
  });

  it.each([
    { command: ['./till.js'], says: 'it is not executable (chmod +x ./till.js)' },
    { command: ['nod'], says: 'There is no program "nod"' },
    { command: [''], says: 'There is no program ""' },
  ])('says what is wrong with $command', ({ command, says }) => {
    expect(() => planSpawn(command, linux)).toThrow(says);
  });
});
