import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';

import { CALL_CHANNEL, PICK_FILE_CHANNEL, PUSH_CHANNEL, type ConsoleBridge } from '#shared/api/channels.ts';

// Three functions, no method names: the contract can grow without touching this file, and the page never holds
// `ipcRenderer` itself.
const bridge: ConsoleBridge = {
  call: (request) => ipcRenderer.invoke(CALL_CHANNEL, request),
  onPush: (listener) => {
    // The bridge wraps functions, so that one taken off by itself would not be found: the answer takes it off.
    const forward = (_event: IpcRendererEvent, message: unknown): void => listener(message);
    ipcRenderer.on(PUSH_CHANNEL, forward);
    return () => void ipcRenderer.off(PUSH_CHANNEL, forward);
  },
  pickFile: async (purpose) => {
    const picked: unknown = await ipcRenderer.invoke(PICK_FILE_CHANNEL, purpose);
    return typeof picked === 'string' ? picked : null;
  },
};

contextBridge.exposeInMainWorld('consoleBridge', bridge);
