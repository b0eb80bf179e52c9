import { expect, test } from 'vitest';

import { exampleFolder, findDataFolder, type Surroundings } from '#main/platform/data-folder.ts';

interface Case {
  readonly title: string;
  readonly given: Partial<Surroundings>;
  readonly expected: string;
}

const LINUX: Surroundings = { env: {}, platform: 'linux', homeDir: '/home/ines' };
const WINDOWS = { platform: 'win32', homeDir: 'C:\\Users\\ines' };

const cases: readonly Case[] = [
  { title: 'Linux', given: {}, expected: '/home/ines/.local/share/concord' },
  {
    title: 'Linux with XDG_DATA_HOME',
    given: { env: { XDG_DATA_HOME: '/data' } },
    expected: '/data/concord',
  },
  {
    title: 'Linux with a relative XDG_DATA_HOME, which counts as none',
    given: { env: { XDG_DATA_HOME: 'data' } },
    expected: '/home/ines/.local/share/concord',
  },
  {
    title: 'macOS',
    given: { platform: 'darwin', homeDir: '/Users/ines' },
    expected: '/Users/ines/Library/Application Support/Concord',
  },
  { title: 'Windows', given: WINDOWS, expected: 'C:\\Users\\ines\\AppData\\Roaming\\Concord' },
  {
    title: 'Windows with APPDATA',
    given: { ...WINDOWS, env: { APPDATA: 'D:\\Roaming' } },
    expected: 'D:\\Roaming\\Concord',
  },
  { title: 'CONCORD_DATA, anywhere', given: { env: { CONCORD_DATA: '/mnt/x' } }, expected: '/mnt/x' },
  {
    title: 'an empty CONCORD_DATA',
    given: { env: { CONCORD_DATA: '' } },
    expected: '/home/ines/.local/share/concord',
  },
];

test.for(cases)('the data lies in $expected: $title', ({ given, expected }) => {
  expect(findDataFolder({ ...LINUX, ...given })).toBe(expected);
});

test('the example is made among the own files, or with the data where those were put elsewhere', () => {
  expect(exampleFolder('/home/ines/.local/share/concord', LINUX)).toBe('/home/ines/Concord example');
  expect(exampleFolder('/mnt/x', { ...LINUX, env: { CONCORD_DATA: '/mnt/x' } })).toBe('/mnt/x/example');
});
