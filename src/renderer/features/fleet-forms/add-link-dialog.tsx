import { useState } from 'react';
import type { ReactNode } from 'react';

import type { FleetReplica } from '#shared/api/fleet-replica.ts';

import { useFleet } from '../../api/fleet-query.ts';
import { useCommand } from '../../api/use-command.ts';
import { Segments } from '../../ui/segments.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormField, ReplicaChoice } from '../../ui/form-parts.tsx';

interface AddLinkDialogProps {
  readonly onClose: () => void;
  /** The replica that one end is preset to. */
  readonly from: string | undefined;
}

type OtherEnd = 'replica' | 'peer';

/** Links a replica to another of the fleet, or to a peer that another host serves; they sync from then on. */
export function AddLinkDialog({ onClose, from }: AddLinkDialogProps) {
  const replicas = useFleet().data?.replicas ?? [];
  const [chosen, setChosen] = useState(from);
  const [otherEnd, setOtherEnd] = useState<OtherEnd>('replica');
  const a = chosen ?? replicas[0]?.ref ?? '';
  const start = (
    <>
      <ReplicaChoice label="Between" value={a} onChange={setChosen} replicas={replicas} />
      <Segments
        label="The other end"
        current={otherEnd}
        onSelect={setOtherEnd}
        segments={[
          { name: 'replica', label: 'and a replica of this fleet' },
          { name: 'peer', label: 'and a peer on another host' },
        ]}
      />
    </>
  );
  const name = nameIn(replicas, a);
  if (otherEnd === 'peer') {
    return (
      <PeerForm a={a} aName={name} onClose={onClose}>
        {start}
      </PeerForm>
    );
  }
  return (
    <ReplicaForm a={a} replicas={replicas} onClose={onClose}>
      {start}
    </ReplicaForm>
  );
}

const nameIn = (replicas: readonly FleetReplica[], ref: string): string =>
  replicas.find((replica) => replica.ref === ref)?.name ?? ref;

interface ReplicaFormProps {
  readonly a: string;
  readonly replicas: readonly FleetReplica[];
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function ReplicaForm({ a, replicas, onClose, children }: ReplicaFormProps) {
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const others = replicas.filter(({ ref }) => ref !== a);
  const b = others.find(({ ref }) => ref === chosen)?.ref ?? others[0]?.ref ?? '';
  const names = `${nameIn(replicas, a)} and ${nameIn(replicas, b)}`;
  const add = useCommand('fleet.addLink', {
    doneText: () => `Linked ${names}. They sync from now on.`,
    onDone: onClose,
    showsFailure: true,
  });
  const isReady = a !== '' && b !== '';
  return (
    <FormDialog
      title="Add a link"
      onClose={onClose}
      stays="Leave the links as they are"
      submitLabel={isReady ? `Link ${names}` : 'Link two replicas'}
      isReady={isReady}
      isBusy={add.isPending}
      onSubmit={() => {
        add.mutate({ a, b });
      }}
      error={add.error}
      failed="The link was not added."
    >
      {children}
      <ReplicaChoice label="Which one" value={b} onChange={setChosen} replicas={others} />
      <p className="dim small">
        Changes flow both ways. Where both created an object with another shape, the batch blocks and waits
        for you.
      </p>
    </FormDialog>
  );
}

interface PeerFormProps {
  readonly a: string;
  readonly aName: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function PeerForm({ a, aName, onClose, children }: PeerFormProps) {
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [name, setName] = useState('');
  const add = useCommand('fleet.addPeer', {
    doneText: () =>
      `Linked ${aName} to ${name.trim() === '' ? 'its peer' : name.trim()}. They sync from now on.`,
    onDone: onClose,
    showsFailure: true,
  });
  return (
    <FormDialog
      title="Add a link"
      onClose={onClose}
      stays="Leave the links as they are"
      submitLabel={`Link ${aName}`}
      isReady={a !== '' && url.trim() !== '' && token.trim() !== ''}
      isBusy={add.isPending}
      onSubmit={() => {
        add.mutate({
          ref: a,
          url: url.trim(),
          token: token.trim(),
          ...(name.trim() !== '' && { name: name.trim() }),
        });
      }}
      error={add.error}
      failed="The link was not added."
    >
      {children}
      <FormField
        label="Address of the peer: its host, then its site ID"
        value={url}
        onChange={setUrl}
        placeholder="ws://127.0.0.1:4021/Qm3v0t8KQ7a1Yw…"
      />
      <FormField label="Token with the role sync" value={token} onChange={setToken} isSecret />
      <FormField label="What to call it here (optional)" value={name} onChange={setName} />
    </FormDialog>
  );
}
