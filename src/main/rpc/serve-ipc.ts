import { BrowserWindow, dialog, ipcMain, type IpcMainInvokeEvent } from 'electron';

import { CALL_CHANNEL, PICK_FILE_CHANNEL, PUSH_CHANNEL, type PickPurpose } from '#shared/api/channels.ts';
import type { Caller } from '#shared/api/types.ts';
import type { RpcHost } from './serve-web-socket.ts';

/**
 * Serves the contract to the windows of the desktop.
 *
 * Each message's sender is checked: only the main frame of a page of our own is heard; all others are rejected.
 */
export function serveIpc(
  host: RpcHost,
  options: { readonly pageOrigin: string; readonly caller: Caller },
): void {
  ipcMain.handle(CALL_CHANNEL, async (event, raw: unknown) => {
    checkSender(event, options.pageOrigin);
    return host.dispatch(raw, options.caller);
  });
  ipcMain.handle(PICK_FILE_CHANNEL, async (event, purpose: unknown) => {
    checkSender(event, options.pageOrigin);
    return pickFile(purpose === 'createReplica' ? 'createReplica' : 'openDatabase');
  });
  host.onPush((push) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send(PUSH_CHANNEL, push);
  });
}

function checkSender({ senderFrame, sender }: IpcMainInvokeEvent, pageOrigin: string): void {
  const isOwnPage = senderFrame?.origin === pageOrigin && senderFrame === sender.mainFrame;
  if (!isOwnPage) throw new Error('This page may not call the host.');
}

const FILTERS = [
  { name: 'SQLite databases', extensions: ['db', 'sqlite', 'sqlite3', 'db3'] },
  { name: 'All files', extensions: ['*'] },
];

async function pickFile(purpose: PickPurpose): Promise<string | null> {
  if (purpose === 'createReplica') {
    const { canceled, filePath } = await dialog.showSaveDialog({
      filters: FILTERS,
      defaultPath: 'replica.db',
    });
    return canceled ? null : filePath;
  }
  const { canceled, filePaths } = await dialog.showOpenDialog({ filters: FILTERS, properties: ['openFile'] });
  return canceled ? null : (filePaths[0] ?? null);
}
