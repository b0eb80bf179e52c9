import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test, vi } from 'vitest';

import type { ConsoleBridge } from '#shared/api/channels.ts';
import type { StandInWindow } from '../support/electron-stand-in.ts';

// The whole desktop entry on a stand-in of Electron: what is registered before it is ready, what the window may do,
// and a call from the page's end of the bridge to the handlers and back. What Electron itself does is not shown here.

const standIn = await vi.hoisted(async () => {
  const { createElectronStandIn } = await import('../support/electron-stand-in.ts');
  return createElectronStandIn();
});
vi.mock('electron', () => standIn.electron);

const folder = mkdtempSync(join(tmpdir(), 'concord-desktop-'));
vi.stubEnv('CONCORD_DATA', folder);
await import('#main/index.ts');
await import('../../src/preload/index.ts');
const bridge = standIn.exposed('consoleBridge') as ConsoleBridge;
const { app, protocol, dialog } = standIn.electron;

// The last test closes what is open in it.
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function theWindow(): StandInWindow {
  const [window] = standIn.windows;
  if (window === undefined) throw new Error('No window was opened.');
  return window;
}

const goingTo = (event: string, url: string): boolean => {
  const preventDefault = vi.fn();
  const listener = theWindow().listeners.get(event) as (event: unknown) => void;
  listener({ url, preventDefault });
  return preventDefault.mock.calls.length === 0;
};

test('the page is served under a scheme of its own, registered before Electron is ready', () => {
  expect(protocol.registerSchemesAsPrivileged).toHaveBeenCalledWith([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  expect(protocol.registerSchemesAsPrivileged.mock.invocationCallOrder[0]).toBeLessThan(
    app.whenReady.mock.invocationCallOrder[0] ?? 0,
  );
  expect(theWindow().loadURL).toHaveBeenCalledWith('app://concord/');
});

test('one instance holds the data: the lock lies among its files', () => {
  expect(app.setPath).toHaveBeenCalledWith('userData', join(folder, 'desktop'));
  expect(app.setPath.mock.invocationCallOrder[0]).toBeLessThan(
    app.requestSingleInstanceLock.mock.invocationCallOrder[0] ?? 0,
  );
});

test('the page runs in a sandbox, apart from the preload, without Node', () => {
  expect(theWindow().options).toMatchObject({
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false },
  });
});

test('the page goes nowhere else and opens nothing', () => {
  for (const event of ['will-navigate', 'will-redirect']) {
    expect(goingTo(event, 'app://concord/fleet')).toBe(true);
    expect(goingTo(event, 'https://evil.example/')).toBe(false);
    expect(goingTo(event, 'app://concord.evil.example/')).toBe(false);
    expect(goingTo(event, 'file:///etc/hostname')).toBe(false);
  }
  expect(goingTo('will-attach-webview', '')).toBe(false);
  const [deny] = theWindow().webContents.setWindowOpenHandler.mock.calls[0] as [() => unknown];
  expect(deny()).toEqual({ action: 'deny' });
});

test('the page gets no permission but to write to the clipboard', () => {
  const { session } = theWindow().webContents;
  const [request] = session.setPermissionRequestHandler.mock.calls[0] as [
    (contents: unknown, permission: string, answer: (given: boolean) => void) => void,
  ];
  const [check] = session.setPermissionCheckHandler.mock.calls[0] as [
    (contents: unknown, permission: string) => boolean,
  ];
  const asked = (permission: string): boolean[] => {
    const answers: boolean[] = [check({}, permission)];
    request({}, permission, (given) => answers.push(given));
    return answers;
  };
  expect(asked('media')).toEqual([false, false]);
  expect(asked('geolocation')).toEqual([false, false]);
  expect(asked('clipboard-read')).toEqual([false, false]);
  expect(asked('clipboard-sanitized-write')).toEqual([true, true]);
});

test('a call from the page is answered by the handlers', async () => {
  const answer = await bridge.call({ id: 1, method: 'host.info', input: {} });
  expect(answer).toMatchObject({ id: 1, result: { ok: true, value: { kind: 'desktop', dataDir: folder } } });
});

test('the files of the page carry the policy', async () => {
  const [scheme, handle] = protocol.handle.mock.calls[0] as [
    string,
    (request: { url: string }) => Promise<Response>,
  ];
  expect(scheme).toBe('app');
  const answer = await handle({ url: 'app://concord/../../package.json' });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test.for([
  { title: 'another origin', frame: { origin: 'https://evil.example' } },
  { title: 'a file', frame: { origin: 'file://' } },
  { title: 'no frame (it is gone)', frame: null },
])('a message from $title is not heard', async ({ frame }) => {
  standIn.speakFrom(frame);
  await expect(bridge.call({ id: 1, method: 'host.info', input: {} })).rejects.toThrow('may not call');
  await expect(bridge.pickFile('openDatabase')).rejects.toThrow('may not call');
  standIn.speakFrom(standIn.ownFrame);
});

test('a message from a frame inside the page is not heard', async () => {
  standIn.speakFrom({ origin: 'app://concord' }, standIn.ownFrame);
  await expect(bridge.call({ id: 1, method: 'host.info', input: {} })).rejects.toThrow('may not call');
  standIn.speakFrom(standIn.ownFrame);
});

test('a file is picked by the dialog of the system, or not at all', async () => {
  dialog.showOpenDialog.mockResolvedValueOnce({ canceled: false, filePaths: ['/data/till.db'] });
  expect(await bridge.pickFile('openDatabase')).toBe('/data/till.db');
  dialog.showOpenDialog.mockResolvedValueOnce({ canceled: true, filePaths: [] });
  expect(await bridge.pickFile('openDatabase')).toBeNull();
  dialog.showSaveDialog.mockResolvedValueOnce({ canceled: false, filePath: '/data/new.db' });
  expect(await bridge.pickFile('createReplica')).toBe('/data/new.db');
});

test('a second start brings the window to the front', () => {
  standIn.emit('second-instance');
  expect(theWindow().focus).toHaveBeenCalledOnce();
});

test('quitting waits until the files are closed', async () => {
  const preventDefault = vi.fn();
  const quitAgain = new Promise<void>((resolve) => app.quit.mockImplementationOnce(() => resolve()));
  standIn.emit('will-quit', { preventDefault });
  expect(preventDefault).toHaveBeenCalledOnce();
  await quitAgain;
  const second = vi.fn();
  standIn.emit('will-quit', { preventDefault: second });
  expect(second).not.toHaveBeenCalled();
});
