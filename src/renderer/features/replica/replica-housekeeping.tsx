import { useState } from 'react';

import type { FleetReplica } from '#shared/api/fleet-replica.ts';

import { useCommand } from '../../api/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { InspectorSection } from '../../ui/panel.tsx';
import { useNavigation, useRoute } from '../../ui/router.tsx';

/** What concerns its place in this fleet alone: its name, and whether it is shown here. */
export function ReplicaHousekeeping({ replica }: { readonly replica: FleetReplica }) {
  const route = useRoute();
  const { go } = useNavigation();
  const [isAsking, setAsking] = useState(false);
  const remove = useCommand('fleet.remove', {
    doneText: () => `Took ${replica.name} out of the fleet. Its file is as it was.`,
    onDone: () => {
      go({ screen: 'fleet' });
    },
  });
  return (
    <InspectorSection title="In this fleet">
      <div className="button-row button-row-first">
        <Button
          onClick={() => {
            go({ ...route, dialog: 'rename-replica' });
          }}
        >
          Rename
        </Button>
        <Button
          onClick={() => {
            setAsking(true);
          }}
        >
          Take out of the fleet
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Take ${replica.name} out of the fleet`}
          confirmLabel={`Take ${replica.name} out`}
          stays="Keep it in the fleet"
          isBusy={remove.isPending}
          onConfirm={() => {
            remove.mutate({ ref: replica.ref });
          }}
          onClose={() => {
            setAsking(false);
          }}
        >
          Its links go with it, and it no longer syncs from here. The file stays where it is, with its
          bookkeeping; opening it again brings it back.
        </ConfirmDialog>
      )}
    </InspectorSection>
  );
}
