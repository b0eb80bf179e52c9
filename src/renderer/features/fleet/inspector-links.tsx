import { Pause, Play, Unlink } from 'lucide-react';
import { useState } from 'react';

import type { Fleet, FleetLink, FleetReplica } from '#shared/api/fleet-replica.ts';

import { usePauseLinks } from '../../api/use-fleet-commands.ts';
import { useCommand } from '../../api/use-command.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { InspectorSection } from '../../ui/panel.tsx';
import { useNavigation } from '../../ui/router.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { number } from '../../ui/words-model.ts';
import { LINK_LOOK } from './map-legend.tsx';

interface InspectorLinksProps {
  readonly replica: FleetReplica;
  readonly links: readonly FleetLink[];
  readonly fleet: Fleet;
}

/** The links of a replica, each with its health and a way to pause it. */
export function InspectorLinks({ replica, links, fleet }: InspectorLinksProps) {
  const { go } = useNavigation();
  return (
    <InspectorSection title="Links">
      {links.length === 0 && <p className="sec small">No link yet, so nothing comes or goes.</p>}
      <ul className="link-list">
        {links.map((link) => (
          <LinkLine
            key={link.id}
            link={link}
            peerName={peerName({ link, replica, fleet })}
            isA={link.a === replica.ref}
          />
        ))}
      </ul>
      {fleet.replicas.length > 1 && (
        <Button
          tone="quiet"
          onClick={() => {
            go({ screen: 'fleet', selected: replica.ref, dialog: 'add-link' });
          }}
        >
          Add a link
        </Button>
      )}
    </InspectorSection>
  );
}

function LinkLine(props: { readonly link: FleetLink; readonly peerName: string; readonly isA: boolean }) {
  const { link, peerName, isA } = props;
  const pause = usePauseLinks();
  const [isAsking, setAsking] = useState(false);
  const remove = useCommand('fleet.removeLink', { doneText: () => `Removed the link to ${peerName}.` });
  const { word, state } = LINK_LOOK[link.health];
  const missing = isA ? link.lagBtoA : link.lagAtoB;
  return (
    <li title={link.reason ?? undefined}>
      <StateIcon state={state ?? 'inSync'} size={12} />
      <span className="link-list-name">{peerName}</span>
      <span className="sec">
        {word}
        {missing !== null && missing > 0 ? `, ${number(missing)} behind` : ''}
      </span>
      <span className="grow" />
      <IconButton
        icon={link.paused ? Play : Pause}
        label={`${link.paused ? 'Resume' : 'Pause'} the link to ${peerName}`}
        onClick={() => {
          pause.mutate({ links: [link], pause: !link.paused, name: `the link to ${peerName}` });
        }}
      />
      <IconButton
        icon={Unlink}
        label={`Remove the link to ${peerName}`}
        onClick={() => {
          setAsking(true);
        }}
      />
      {isAsking && (
        <ConfirmDialog
          title={`Remove the link to ${peerName}`}
          confirmLabel="Remove the link"
          stays="Keep the link"
          isBusy={remove.isPending}
          onConfirm={() => {
            remove.mutate({ id: link.id });
          }}
          onClose={() => {
            setAsking(false);
          }}
        >
          The two no longer sync over it. Both keep what they have; linked again, they catch up.
        </ConfirmDialog>
      )}
    </li>
  );
}

function peerName({
  link,
  replica,
  fleet,
}: {
  readonly link: FleetLink;
  readonly replica: FleetReplica;
  readonly fleet: Fleet;
}): string {
  if (link.a === replica.ref) return link.bName;
  return fleet.replicas.find((other) => other.ref === link.a)?.name ?? link.a;
}
