import { useQuery } from '@tanstack/react-query';
import { Settings } from 'lucide-react';

import { useApi } from '../../api/api-context.tsx';
import { valueOf } from '../../api/client.ts';
import { useThemeControl, useThemeState } from '../../theme/theme-context.tsx';
import type { Theme } from '../../theme/theme.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FailedNotice, ReadingNotice } from '../../ui/notice.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';
import { Segments } from '../../ui/segments.tsx';
import { OtherHosts } from './other-hosts.tsx';
import { TopLine } from '../../ui/verdict-line.tsx';
import './settings.css';

/** What one may set, and what the host says of itself. */
export function SettingsView() {
  const control = useThemeControl();
  const { theme, scheme } = useThemeState();
  return (
    <>
      <TopLine icon={Settings} className="st-plain">
        <h1>Settings of this console</h1>
        <p>They are kept in this browser and change nothing on a replica.</p>
      </TopLine>
      <div className="work-only work-pad">
        <Panel title="Theme" note={theme === 'system' ? `as the system, now ${scheme}` : theme}>
          <div className="setting">
            <Segments
              label="Theme"
              current={theme}
              onSelect={(next: Theme) => {
                control.choose(next);
              }}
              segments={[
                { name: 'system', label: 'As the system' },
                { name: 'light', label: 'Light' },
                { name: 'dark', label: 'Dark' },
              ]}
            />
          </div>
        </Panel>
        <Panel title="Other hosts" note="whose replicas this fleet shows">
          <OtherHosts />
        </Panel>
        <Panel title="The host" note="that answers this console">
          <HostFacts />
        </Panel>
      </div>
    </>
  );
}

function HostFacts() {
  const { client } = useApi();
  const host = useQuery({ queryKey: ['host'], queryFn: () => valueOf(client, 'host.info', {}) });
  if (host.data !== undefined) {
    const { data } = host;
    return (
      <div className="setting">
        <Facts
          facts={[
            ['Concord', `${data.version}, ${data.kind === 'desktop' ? 'desktop' : 'headless'}`],
            ['SQLite', data.sqliteVersion],
            ['Node', `${data.nodeVersion} on ${data.platform}`],
            [
              'data folder',
              <span key="dir" className="mono">
                {data.dataDir} <CopyButton text={data.dataDir} what="the path of the data folder" />
              </span>,
            ],
          ]}
        />
      </div>
    );
  }
  if (host.isError)
    return (
      <FailedNotice what="The host’s own facts" error={host.error} onRetry={() => void host.refetch()} />
    );
  return <ReadingNotice what="the host’s own facts" rows={4} />;
}
