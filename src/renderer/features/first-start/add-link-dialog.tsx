import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { FleetReplica } from '#shared/api/fleet-replica.ts';

import { useApi } from '../../api/api-context.tsx';
import { valueOf } from '../../api/client.ts';
import { useFleet } from '../../api/fleet-query.ts';
import { useNotify } from '../../ui/notifications.tsx';
import { FormDialog } from './form-dialog.tsx';

interface AddLinkDialogProps {
  readonly onClose: () => void;
  /** The replica that one end is preset to. */
  readonly from: string | undefined;
}

/** Links two replicas of the fleet; they sync from then on. */
export function AddLinkDialog({ onClose, from }: AddLinkDialogProps) {
  const { client } = useApi();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const replicas = useFleet().data?.replicas ?? [];
  const { a, b, setA, setB } = useEnds(replicas, from);
  const name = (ref: string): string => replicas.find((replica) => replica.ref === ref)?.name ?? ref;
  const add = useMutation({
    mutationFn: () => valueOf(client, 'fleet.addLink', { a, b }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['fleet'] });
      onClose();
      notify({ tone: 'done', text: `Linked ${name(a)} and ${name(b)}. They sync from now on.` });
    },
  });
  const isReady = a !== '' && b !== '';
  return (
    <FormDialog
      title="Add a link"
      onClose={onClose}
      stays="Leave the links as they are"
      submitLabel={isReady ? `Link ${name(a)} and ${name(b)}` : 'Link two replicas'}
      isReady={isReady}
      isBusy={add.isPending}
      onSubmit={add.mutate}
      error={add.error}
      failed="The link was not added."
    >
      <ReplicaChoice label="Between" value={a} onChange={setA} replicas={replicas} />
      <ReplicaChoice label="and" value={b} onChange={setB} replicas={replicas} />
      <p className="dim small">
        Changes flow both ways. Where both created an object with another shape, the batch blocks and waits
        for you.
      </p>
    </FormDialog>
  );
}

/** Both ends: as chosen, else the preset one and the first other. */
function useEnds(replicas: readonly FleetReplica[], from: string | undefined) {
  const [chosenA, setA] = useState(from);
  const [chosenB, setB] = useState<string | undefined>(undefined);
  const a = chosenA ?? replicas[0]?.ref ?? '';
  const b = chosenB ?? replicas.find(({ ref }) => ref !== a)?.ref ?? '';
  return { a, b, setA, setB };
}

interface ReplicaChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (ref: string) => void;
  readonly replicas: readonly FleetReplica[];
}

function ReplicaChoice({ label, value, onChange, replicas }: ReplicaChoiceProps) {
  return (
    <label className="form-row">
      {label}
      <select
        className="input"
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      >
        {replicas.map(({ ref, name, host }) => (
          <option key={ref} value={ref}>
            {name}, {host}
          </option>
        ))}
      </select>
    </label>
  );
}
