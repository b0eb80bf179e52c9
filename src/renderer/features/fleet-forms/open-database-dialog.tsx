import { useState } from 'react';

import type { Output } from '#shared/api/types.ts';

import { useApi } from '../../api/api-context.tsx';
import { CallError } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { useNavigation } from '../../ui/router.tsx';
import { counted } from '../../ui/words-model.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormField } from '../../ui/form-parts.tsx';

/** Takes an existing SQLite file into the fleet, or makes a new one where the path leads to nothing. */
export function OpenDatabaseDialog({ onClose }: { readonly onClose: () => void }) {
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const opening = useOpening({ path: path.trim(), name: name.trim(), onClose });
  return (
    <FormDialog
      title="Open a database"
      onClose={onClose}
      stays="Leave the fleet as it is"
      submitLabel={opening.isOpening ? 'Opening' : 'Open the database'}
      isReady={path.trim() !== ''}
      isBusy={opening.isOpening}
      onSubmit={opening.open}
      error={opening.error}
      failed="The file was not opened."
      more={
        (opening.canCreate && (
          <Button busy={opening.isCreating} onClick={opening.create}>
            Make a new replica there
          </Button>
        )) ||
        (opening.isCopy && (
          <Button busy={opening.isOpening} onClick={opening.takeOn}>
            Take the copy on as a new site
          </Button>
        ))
      }
    >
      <FormField
        label="Path of the SQLite file, on the host"
        value={path}
        onChange={setPath}
        isFirst
        placeholder="/home/ines/till.db"
      >
        <PickButton onPick={setPath} />
      </FormField>
      <FormField label="Name in the fleet (the file’s name when empty)" value={name} onChange={setName} />
      <p className="dim small">
        Concord adds its bookkeeping tables and triggers to the file and turns it to WAL. Rows and tables stay
        as they are, and other programs go on writing to it.
      </p>
    </FormDialog>
  );
}

/** The system's own dialog; a browser has none, so there a path is typed. */
function PickButton({ onPick }: { readonly onPick: (path: string) => void }) {
  const { pickFile } = useApi();
  if (pickFile === null) return null;
  const pick = async (): Promise<void> => {
    const path = await pickFile('openDatabase');
    if (path !== null) onPick(path);
  };
  return <Button onClick={() => void pick()}>Choose</Button>;
}

function useOpening(form: { readonly path: string; readonly name: string; readonly onClose: () => void }) {
  const { path, name, onClose } = form;
  const { go } = useNavigation();
  const input = { path, ...(name !== '' && { name }) };
  const show = ({ ref }: { readonly ref: string }): void => {
    onClose();
    go({ screen: 'replica', ref, tab: 'catalog' });
  };
  const open = useCommand('fleet.openDatabase', { doneText: openedWords, onDone: show, showsFailure: true });
  const create = useCommand('fleet.createReplica', {
    doneText: () => 'Made a new, empty replica.',
    onDone: show,
    showsFailure: true,
  });
  return {
    error: create.error ?? open.error,
    isOpening: open.isPending,
    isCreating: create.isPending,
    /** There is no file at the path, so one can be made. */
    canCreate: open.error instanceof CallError && open.error.failure.code === 'file-not-found',
    /** Another file of the fleet has its site ID. */
    isCopy: open.error instanceof CallError && open.error.failure.code === 'duplicate-site',
    takeOn: () => {
      open.mutate({ ...input, asNewSite: true });
    },
    open: () => {
      create.reset();
      open.mutate(input);
    },
    create: () => {
      create.mutate(input);
    },
  };
}

function openedWords(opened: Output<'fleet.openDatabase'>): string {
  const tables = counted(opened.tables, 'table');
  const wal = opened.journalModeChanged ? ' The file was turned to WAL.' : '';
  return opened.attached ? `Took ${tables} under sync.${wal}` : `It was a replica already: ${tables}.${wal}`;
}
