import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { FleetReplica } from '#shared/api/fleet-replica.ts';

import { useApi } from '../../api/api-context.tsx';
import { valueOf } from '../../api/client.ts';
import { useFleet } from '../../api/fleet-query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/notifications.tsx';
import { FormFailed } from './form-parts.tsx';

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
  const [chosenA, setA] = useState(from);
  const [chosenB, setB] = useState<string | undefined>(undefined);
  const a = chosenA ?? replicas[0]?.ref ?? '';
  const b = chosenB ?? replicas.find(({ ref }) => ref !== a)?.ref ?? '';
  const name = (ref: string): string => replicas.find((replica) => replica.ref === ref)?.name ?? ref;
  const add = useMutation({
    mutationFn: () => valueOf(client, 'fleet.addLink', { a, b }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['fleet'] });
      onClose();
      notify({ tone: 'done', text: `Linked ${name(a)} and ${name(b)}. They sync from now on.` });
    },
  });
  return (
    <Dialog title="Add a link" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!add.isPending) add.mutate();
        }}
      >
        <ReplicaChoice label="Between" value={a} onChange={setA} replicas={replicas} />
        <ReplicaChoice label="and" value={b} onChange={setB} replicas={replicas} />
        <p className="dim small">
          Changes flow both ways. Where both created an object with another shape, the batch blocks and waits
          for you.
        </p>
        {add.error !== null && <FormFailed error={add.error} what="The link was not added." />}
        <div className="dialog-foot">
          <Button tone="quiet" onClick={onClose}>
            Leave the links as they are
          </Button>
          <Button tone="primary" type="submit" busy={add.isPending} aria-disabled={a === '' || b === ''}>
            Link {name(a)} and {name(b)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function ReplicaChoice(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (ref: string) => void;
  readonly replicas: readonly FleetReplica[];
}) {
  return (
    <label className="form-row">
      {props.label}
      <select
        className="input"
        value={props.value}
        onChange={(event) => {
          props.onChange(event.target.value);
        }}
      >
        {props.replicas.map(({ ref, name, host }) => (
          <option key={ref} value={ref}>
            {name}, {host}
          </option>
        ))}
      </select>
    </label>
  );
}
