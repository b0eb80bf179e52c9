import { useState } from 'react';

import { useCommand } from '../../api/use-command.ts';
import { counted } from '../../ui/words-model.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormField } from '../../ui/form-parts.tsx';

/** Brings the replicas of another `concord serve` into the fleet. */
export function ConnectHostDialog({ onClose }: { readonly onClose: () => void }) {
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const connect = useCommand('fleet.connectHost', {
    doneText: (host) => `Connected to ${host.url}: ${counted(host.refs.length, 'replica')}.`,
    onDone: onClose,
    showsFailure: true,
  });
  return (
    <FormDialog
      title="Connect to a host"
      onClose={onClose}
      stays="Leave the fleet as it is"
      submitLabel={connect.isPending ? 'Connecting' : 'Connect the host'}
      isReady={url.trim() !== '' && token.trim() !== ''}
      isBusy={connect.isPending}
      onSubmit={() => {
        connect.mutate({ url: url.trim(), token: token.trim() });
      }}
      error={connect.error}
      failed="The host was not connected."
    >
      <FormField
        label="Address of the host"
        value={url}
        onChange={setUrl}
        placeholder="http://127.0.0.1:4021"
        isFirst
      />
      <FormField label="Token" value={token} onChange={setToken} isSecret />
      <p className="dim small">
        Make the token on that host with “concord token”. The role read shows its replicas, operate acts on
        them too.
      </p>
    </FormDialog>
  );
}
