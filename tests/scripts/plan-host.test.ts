import { expect, test } from 'vitest';

import { planHost, type HostFacts, type HostPlan } from '../../scripts/plan-host.ts';

interface Case {
  readonly title: string;
  readonly facts: Partial<HostFacts>;
  readonly expected: HostPlan;
}

const headless = (because: string, opensBrowser: boolean): HostPlan => ({
  host: 'headless',
  because,
  opensBrowser,
});

const cases: readonly Case[] = [
  {
    title: 'opens the desktop under X',
    facts: { env: { DISPLAY: ':0' } },
    expected: { host: 'desktop' },
  },
  {
    title: 'opens the desktop under Wayland',
    facts: { env: { WAYLAND_DISPLAY: 'wayland-0' } },
    expected: { host: 'desktop' },
  },
  { title: 'opens the desktop on macOS', facts: { platform: 'darwin' }, expected: { host: 'desktop' } },
  {
    title: 'stays headless without a display',
    facts: {},
    expected: headless('there is no display (DISPLAY and WAYLAND_DISPLAY are not set)', false),
  },
  {
    title: 'stays headless over SSH',
    facts: { platform: 'darwin', env: { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' } },
    expected: headless('this is a session over SSH', false),
  },
  {
    title: 'opens no window and no browser on a CI machine',
    facts: { env: { CI: 'true', DISPLAY: ':99' } },
    expected: headless('this is a CI machine', false),
  },
  {
    title: 'takes CI=false at its word',
    facts: { env: { CI: 'false', DISPLAY: ':0' } },
    expected: { host: 'desktop' },
  },
  {
    title: 'uses a browser for root, whom Electron refuses',
    facts: { env: { DISPLAY: ':0' }, isRoot: true },
    expected: headless('Electron does not run as root', true),
  },
  {
    title: 'does as it is told',
    facts: { env: { DISPLAY: ':0' }, wantsHeadless: true },
    expected: headless('--headless was asked for', true),
  },
];

test.for(cases)('planHost $title', ({ facts, expected }) => {
  expect(planHost({ platform: 'linux', env: {}, isRoot: false, wantsHeadless: false, ...facts })).toEqual(
    expected,
  );
});
