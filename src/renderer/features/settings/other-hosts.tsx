import type { Fleet } from '#shared/api/fleet-replica.ts';

import { useFleet } from '../../api/fleet-query.ts';
import { useCommand } from '../../api/use-command.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';

/** The hosts that were connected, each with whether it answers, and a way to let it go. */
export function OtherHosts() {
  const hosts = useFleet().data?.hosts ?? [];
  return (
    <div className="setting">
      {hosts.length === 0 && (
        <p className="sec">None. The replicas of another machine are shown once its host is connected.</p>
      )}
      <ul className="host-list">
        {hosts.map((host) => (
          <HostLine key={host.url} host={host} />
        ))}
      </ul>
      <div className="button-row">
        <ButtonLink to={{ screen: 'settings', dialog: 'connect-host' }}>Connect a host</ButtonLink>
      </div>
    </div>
  );
}

function HostLine({ host }: { readonly host: Fleet['hosts'][number] }) {
  const disconnect = useCommand('fleet.disconnectHost', {
    doneText: () => `Disconnected ${host.url}. Its replicas go on without this console.`,
  });
  return (
    <li>
      <StateIcon state={host.reachable ? 'inSync' : 'unreachable'} />
      <code>{host.url}</code>
      <span className="sec">{host.reachable ? 'answers' : (host.reason ?? 'does not answer')}</span>
      <span className="grow" />
      <Button
        busy={disconnect.isPending}
        onClick={() => {
          disconnect.mutate({ url: host.url });
        }}
      >
        Disconnect
      </Button>
    </li>
  );
}
