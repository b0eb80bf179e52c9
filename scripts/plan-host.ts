/** What is known about this machine before a host is chosen. Plain data, read once by the caller. */
export interface HostFacts {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  /** The person asked for the headless host. */
  readonly wantsHeadless: boolean;
}

export type HostPlan =
  | { readonly host: 'desktop' }
  | { readonly host: 'headless'; readonly because: string; readonly opensBrowser: boolean };

/**
 * Decides which host `npm start` should open, as far as that can be told without looking for Electron.
 *
 * A browser is opened only where a person can be expected to sit: a display is there, and it is no CI machine.
 */
export function planHost(facts: HostFacts): HostPlan {
  const isCi = isSet(facts.env['CI']);
  const display = readDisplay(facts);
  const opensBrowser = display.isThere && !isCi;
  if (facts.wantsHeadless) return { host: 'headless', because: '--headless was asked for', opensBrowser };
  if (isCi) return { host: 'headless', because: 'this is a CI machine', opensBrowser };
  if (!display.isThere) return { host: 'headless', because: display.because, opensBrowser };
  if (facts.platform === 'linux' && facts.isRoot) {
    return { host: 'headless', because: 'Electron does not run as root', opensBrowser };
  }
  return { host: 'desktop' };
}

function readDisplay({ platform, env }: HostFacts): { readonly isThere: boolean; readonly because: string } {
  if (platform === 'darwin' || platform === 'win32') {
    return { isThere: !isSet(env['SSH_CONNECTION']), because: 'this is a session over SSH' };
  }
  return {
    isThere: isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY']),
    because: 'there is no display (DISPLAY and WAYLAND_DISPLAY are not set)',
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}
