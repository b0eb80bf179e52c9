import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { Output } from '#shared/api/types.ts';

import { useApi } from '../../api/api-context.tsx';
import { CallError, valueOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/notifications.tsx';
import { useNavigation } from '../../ui/router.tsx';
import { counted } from '../../ui/words-model.ts';
import { FormFailed, FormField } from './form-parts.tsx';

/** Takes an existing SQLite file into the fleet, or makes a new one where the path leads to nothing. */
export function OpenDatabaseDialog({ onClose }: { readonly onClose: () => void }) {
  const { client, pickFile } = useApi();
  const { go } = useNavigation();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const named = name.trim() === '' ? {} : { name: name.trim() };

  const finish = async (ref: string, text: string): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: ['fleet'] });
    onClose();
    go({ screen: 'replica', ref, tab: 'catalog' });
    notify({ tone: 'done', text });
  };
  const open = useMutation({
    mutationFn: () => valueOf(client, 'fleet.openDatabase', { path: path.trim(), ...named }),
    onSuccess: (opened) => finish(opened.ref, openedWords(opened)),
  });
  const create = useMutation({
    mutationFn: () => valueOf(client, 'fleet.createReplica', { path: path.trim(), ...named }),
    onSuccess: ({ ref }) => finish(ref, 'Made a new, empty replica.'),
  });
  const canCreate = open.error instanceof CallError && open.error.failure.code === 'file-not-found';
  const error = create.error ?? open.error;
  return (
    <Dialog title="Open a database" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          create.reset();
          if (path.trim() !== '' && !open.isPending) open.mutate();
        }}
      >
        <FormField
          label="Path of the SQLite file, on the host"
          value={path}
          onChange={setPath}
          isFirst
          placeholder="/home/ines/till.db"
        >
          {pickFile !== null && (
            <Button
              onClick={() => {
                void pickFile('openDatabase').then((picked) => {
                  if (picked !== null) setPath(picked);
                });
              }}
            >
              Choose
            </Button>
          )}
        </FormField>
        <FormField label="Name in the fleet (the file’s name when empty)" value={name} onChange={setName} />
        <p className="dim small">
          Concord adds its bookkeeping tables and triggers to the file and turns it to WAL. Rows and tables
          stay as they are, and other programs go on writing to it.
        </p>
        {error !== null && <FormFailed error={error} what="The file was not opened." />}
        <div className="dialog-foot">
          <Button tone="quiet" onClick={onClose}>
            Leave the fleet as it is
          </Button>
          {canCreate && (
            <Button
              busy={create.isPending}
              onClick={() => {
                create.mutate();
              }}
            >
              Make a new replica there
            </Button>
          )}
          <Button tone="primary" type="submit" busy={open.isPending} aria-disabled={path.trim() === ''}>
            {open.isPending ? 'Opening' : 'Open the database'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function openedWords(opened: Output<'fleet.openDatabase'>): string {
  const tables = counted(opened.tables, 'table');
  const wal = opened.journalModeChanged ? ' The file was turned to WAL.' : '';
  return opened.attached ? `Took ${tables} under sync.${wal}` : `It was a replica already: ${tables}.${wal}`;
}
