import { useState } from 'react';

import { useFleet } from '../../api/fleet-query.ts';
import { useCommand } from '../../api/use-command.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormField } from '../../ui/form-parts.tsx';

/** What a replica is called in this fleet, and the group it stands in. Nothing of it is in the file. */
export function RenameReplicaDialog(props: { readonly refId: string; readonly onClose: () => void }) {
  const { refId, onClose } = props;
  const replica = useFleet().data?.replicas.find(({ ref }) => ref === refId);
  const [typedName, setName] = useState<string | undefined>(undefined);
  const [typedGroup, setGroup] = useState<string | undefined>(undefined);
  const name = typedName ?? replica?.name ?? '';
  const group = typedGroup ?? replica?.group ?? '';
  const rename = useCommand('fleet.renameReplica', {
    doneText: () => `It is called ${name.trim()} now.`,
    onDone: onClose,
    showsFailure: true,
  });
  return (
    <FormDialog
      title={`Rename ${replica?.name ?? 'the replica'}`}
      onClose={onClose}
      stays="Keep the name"
      submitLabel="Rename the replica"
      isReady={name.trim() !== ''}
      isBusy={rename.isPending}
      onSubmit={() => {
        rename.mutate({ ref: refId, name: name.trim(), group: group.trim() === '' ? null : group.trim() });
      }}
      error={rename.error}
      failed="The replica was not renamed."
    >
      <FormField label="Name in this fleet" value={name} onChange={setName} isFirst />
      <FormField label="Group, such as the shop it stands in (optional)" value={group} onChange={setGroup} />
    </FormDialog>
  );
}
