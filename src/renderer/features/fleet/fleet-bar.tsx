import { Plus, RefreshCw, Search } from 'lucide-react';
import { useRef } from 'react';

import { useSyncNow } from '../../api/use-fleet-commands.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import type { FleetShow } from '../../ui/route-model.ts';
import { Segments } from '../../ui/segments.tsx';
import { useShortcuts } from '../../ui/use-shortcuts.ts';

interface FleetBarProps {
  readonly counts: Readonly<Record<FleetShow, number>>;
  readonly show: FleetShow;
  readonly filter: string;
  readonly onShow: (show: FleetShow) => void;
  readonly onFilter: (filter: string) => void;
}

/** Filters at the left, what is done to the whole fleet at the right. */
export function FleetBar({ counts, show, filter, onShow, onFilter }: FleetBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const sync = useSyncNow();
  useShortcuts({ '/': () => field.current?.focus() });
  return (
    <div className="bar">
      <Segments
        label="Which replicas"
        current={show}
        onSelect={onShow}
        segments={[
          { name: 'all', label: `All ${counts.all}` },
          { name: 'needYou', label: `Need you ${counts.needYou}` },
          { name: 'notInSync', label: `Not in sync ${counts.notInSync}` },
        ]}
      />
      <label className="filter">
        <Search className="icon" size={14} aria-hidden />
        <span className="unseen">Filter by name, group, host or fingerprint</span>
        <input
          ref={field}
          type="text"
          placeholder="Filter"
          value={filter}
          onChange={(event) => {
            onFilter(event.target.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            onFilter('');
            event.currentTarget.blur();
          }}
        />
        <kbd aria-hidden>/</kbd>
      </label>
      <span className="grow" />
      <Button
        icon={RefreshCw}
        busy={sync.isPending}
        onClick={() => {
          sync.mutate(null);
        }}
      >
        {sync.isPending ? 'Syncing' : 'Sync all'}
      </Button>
      <ButtonLink icon={Plus} to={{ screen: 'fleet', dialog: 'open-database' }}>
        Add replica
      </ButtonLink>
    </div>
  );
}
