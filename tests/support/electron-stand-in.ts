import { vi } from 'vitest';

type Handler = (event: unknown, ...args: readonly unknown[]) => unknown;
type Listener = (...args: readonly never[]) => unknown;

/**
 * What our files use of Electron, with both ends of its pipe in one process. What crosses the pipe is cloned, as
 * Electron clones it.
 */
export function createElectronStandIn() {
  const handlers = new Map<string, Handler>();
  const pushListeners = new Map<string, Set<Listener>>();
  const exposed = new Map<string, unknown>();
  const appListeners = new Map<string, Listener[]>();
  const windows: StandInWindow[] = [];
  const ownFrame = { origin: 'app://concord' };
  let sender = { senderFrame: ownFrame as unknown, sender: { mainFrame: ownFrame as unknown } };

  const app = {
    setPath: vi.fn(),
    requestSingleInstanceLock: vi.fn(() => true),
    whenReady: vi.fn(() => Promise.resolve()),
    quit: vi.fn(),
    exit: vi.fn(),
    on: vi.fn((event: string, listener: Listener) => {
      appListeners.set(event, [...(appListeners.get(event) ?? []), listener]);
    }),
  };

  const electron = {
    app,
    protocol: { registerSchemesAsPrivileged: vi.fn(), handle: vi.fn() },
    dialog: {
      showErrorBox: vi.fn(),
      showOpenDialog: vi.fn(),
      showSaveDialog: vi.fn(),
    },
    safeStorage: {
      isEncryptionAvailable: () => false,
      encryptString: (text: string) => Buffer.from(text),
      decryptString: (sealed: Buffer) => sealed.toString(),
    },
    utilityProcess: { fork: vi.fn() },
    ipcMain: {
      handle: (channel: string, handler: Handler) => {
        handlers.set(channel, handler);
      },
    },
    ipcRenderer: {
      invoke: async (channel: string, message: unknown) => {
        const handler = handlers.get(channel);
        if (handler === undefined) throw new Error(`Nobody handles ${channel}.`);
        return structuredClone(await handler(sender, structuredClone(message)));
      },
      on: (channel: string, listener: Listener) => {
        pushListeners.set(channel, (pushListeners.get(channel) ?? new Set()).add(listener));
      },
      off: (channel: string, listener: Listener) => {
        pushListeners.get(channel)?.delete(listener);
      },
    },
    contextBridge: {
      exposeInMainWorld: (name: string, api: unknown) => {
        exposed.set(name, api);
      },
    },
    BrowserWindow: Object.assign(
      vi.fn(function openStandIn(options: unknown) {
        const window = createWindow(options, (channel, message) => {
          for (const listener of pushListeners.get(channel) ?? []) {
            (listener as (event: unknown, message: unknown) => void)({}, structuredClone(message));
          }
        });
        windows.push(window);
        return window;
      }),
      { getAllWindows: () => windows },
    ),
  };

  return {
    electron,
    windows,
    exposed: (name: string) => exposed.get(name),
    /** Runs what was registered for an event of the application. */
    emit: (event: string, ...args: readonly unknown[]) => {
      for (const listener of appListeners.get(event) ?? [])
        (listener as (...given: readonly unknown[]) => void)(...args);
    },
    /** From now on messages come from this frame. */
    speakFrom: (frame: { readonly origin: string } | null, mainFrame: unknown = frame) => {
      sender = { senderFrame: frame, sender: { mainFrame } };
    },
    ownFrame,
  };
}

export interface StandInWindow {
  readonly options: unknown;
  readonly loadURL: ReturnType<typeof vi.fn>;
  readonly show: ReturnType<typeof vi.fn>;
  readonly focus: ReturnType<typeof vi.fn>;
  readonly once: (event: string, listener: Listener) => void;
  readonly webContents: {
    readonly send: (channel: string, message: unknown) => void;
    readonly session: {
      readonly setPermissionRequestHandler: ReturnType<typeof vi.fn>;
      readonly setPermissionCheckHandler: ReturnType<typeof vi.fn>;
    };
    readonly setWindowOpenHandler: ReturnType<typeof vi.fn>;
    readonly on: (event: string, listener: Listener) => void;
  };
  /** What was registered for an event of the window or its contents. */
  readonly listeners: ReadonlyMap<string, Listener>;
}

function createWindow(options: unknown, send: (channel: string, message: unknown) => void): StandInWindow {
  const listeners = new Map<string, Listener>();
  const listen = (event: string, listener: Listener): void => {
    listeners.set(event, listener);
  };
  return {
    options,
    loadURL: vi.fn(() => Promise.resolve()),
    show: vi.fn(),
    focus: vi.fn(),
    once: listen,
    webContents: {
      send,
      session: { setPermissionRequestHandler: vi.fn(), setPermissionCheckHandler: vi.fn() },
      setWindowOpenHandler: vi.fn(),
      on: listen,
    },
    listeners,
  };
}
