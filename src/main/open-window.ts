import { BrowserWindow, type Session } from 'electron';

/** Where the desktop's page lies: an origin of its own, so that it is no file of this machine. */
export const PAGE_SCHEME = 'app';
export const PAGE_ORIGIN = `${PAGE_SCHEME}://concord`;

/** What the page may ask the system for: its copy buttons write to the clipboard. */
const PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** Opens a window on the page. It can go nowhere else, open nothing, and ask for nothing. */
export function openWindow(preloadPath: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 720,
    minHeight: 480,
    show: false,
    title: 'Concord',
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    },
  });
  const { webContents } = window;
  refusePermissions(webContents.session);
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-navigate', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault();
  });
  webContents.on('will-redirect', (event) => {
    if (!isOwnPage(event.url)) event.preventDefault();
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${PAGE_ORIGIN}/`);
  return window;
}

function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(PERMISSIONS.has(permission)));
  session.setPermissionCheckHandler((_contents, permission) => PERMISSIONS.has(permission));
}

function isOwnPage(url: string): boolean {
  return url.startsWith(`${PAGE_ORIGIN}/`);
}
