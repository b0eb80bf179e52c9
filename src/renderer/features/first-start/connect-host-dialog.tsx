import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useApi } from '../../api/api-context.tsx';
import { valueOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/notifications.tsx';
import { counted } from '../../ui/words-model.ts';
import { FormFailed, FormField } from './form-parts.tsx';

/** Brings the replicas of another `concord serve` into the fleet. */
export function ConnectHostDialog({ onClose }: { readonly onClose: () => void }) {
  const { client } = useApi();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const connect = useMutation({
    mutationFn: () => valueOf(client, 'fleet.connectHost', { url: url.trim(), token: token.trim() }),
    onSuccess: async (host) => {
      await queryClient.invalidateQueries({ queryKey: ['fleet'] });
      onClose();
      notify({ tone: 'done', text: `Connected to ${host.url}: ${counted(host.refs.length, 'replica')}.` });
    },
  });
  const isReady = url.trim() !== '' && token.trim() !== '';
  return (
    <Dialog title="Connect to a host" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !connect.isPending) connect.mutate();
        }}
      >
        <FormField
          label="Address of the host"
          value={url}
          onChange={setUrl}
          placeholder="http://127.0.0.1:7421"
          isFirst
        />
        <FormField label="Token" value={token} onChange={setToken} isSecret />
        <p className="dim small">
          Make the token on that host with “concord token”. The role read shows its replicas, operate acts on
          them too.
        </p>
        {connect.error !== null && <FormFailed error={connect.error} what="The host was not connected." />}
        <div className="dialog-foot">
          <Button tone="quiet" onClick={onClose}>
            Leave the fleet as it is
          </Button>
          <Button tone="primary" type="submit" busy={connect.isPending} aria-disabled={!isReady}>
            {connect.isPending ? 'Connecting' : 'Connect the host'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
