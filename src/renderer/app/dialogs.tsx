import { AddLinkDialog } from '../features/fleet-forms/add-link-dialog.tsx';
import { ConnectHostDialog } from '../features/fleet-forms/connect-host-dialog.tsx';
import { OpenDatabaseDialog } from '../features/fleet-forms/open-database-dialog.tsx';
import { RenameReplicaDialog } from '../features/fleet-forms/rename-replica-dialog.tsx';
import { withoutDialog } from '../ui/route-model.ts';
import type { Route } from '../ui/route-model.ts';
import { useNavigation } from '../ui/router.tsx';
import { KeysDialog } from './keys-dialog.tsx';

/** The dialog that the address names, over its screen. */
export function Dialogs({ route }: { readonly route: Route }) {
  const { amend } = useNavigation();
  const close = (): void => {
    amend(withoutDialog(route));
  };
  const { dialog } = route;
  if (dialog === undefined) return null;
  switch (dialog) {
    case 'open-database':
      return <OpenDatabaseDialog onClose={close} />;
    case 'connect-host':
      return <ConnectHostDialog onClose={close} />;
    case 'add-link':
      return <AddLinkDialog onClose={close} from={route.screen === 'fleet' ? route.selected : undefined} />;
    case 'rename-replica':
      return route.screen === 'replica' ? <RenameReplicaDialog refId={route.ref} onClose={close} /> : null;
    case 'keys':
      return <KeysDialog onClose={close} />;
  }
}
