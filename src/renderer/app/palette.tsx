import { ArrowRight, Zap } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useQuery } from '@tanstack/react-query';

import { useApi } from '../api/api-context.tsx';
import { fleetQuery } from '../api/fleet-query.ts';
import { useSyncNow } from '../api/use-fleet-commands.ts';
import { useThemeControl } from '../theme/theme-context.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useNavigation } from '../ui/router.tsx';
import { matchingItems, paletteItems } from './palette-model.ts';
import type { PaletteAct, PaletteItem } from './palette-model.ts';
import './palette.css';

/** Go to or do anything by typing a part of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const fleet = useQuery(fleetQuery(useApi().client)).data;
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const perform = usePerform();
  const items = useMemo(() => matchingItems(paletteItems(fleet), text), [fleet, text]);
  const current = Math.min(at, items.length - 1);
  const choose = (item: PaletteItem | undefined): void => {
    if (item === undefined) return;
    onClose();
    perform(item.does);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setAt((current + step + items.length) % items.length);
    }
    if (event.key === 'Enter') choose(items[current]);
  };
  return (
    <Dialog title="Go to or do" onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={items.length > 0 ? `${listId}-${current}` : undefined}
        aria-label="A replica, an object or an action"
        placeholder="A replica, an object or an action"
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul className="palette-list" role="listbox" id={listId} aria-label="Found">
        {items.map((item, index) => (
          <PaletteLine
            key={item.id}
            id={`${listId}-${index}`}
            item={item}
            isCurrent={index === current}
            onChoose={() => {
              choose(item);
            }}
          />
        ))}
      </ul>
      {items.length === 0 && <p className="dim small">Nothing has this in its name.</p>}
    </Dialog>
  );
}

function PaletteLine(props: {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}) {
  const { id, item, isCurrent, onChoose } = props;
  const Icon = item.kind === 'go' ? ArrowRight : Zap;
  return (
    <li
      id={id}
      role="option"
      aria-selected={isCurrent}
      onClick={onChoose}
      ref={(line) => {
        if (isCurrent) line?.scrollIntoView({ block: 'nearest' });
      }}
    >
      <Icon className="icon" size={13} aria-hidden />
      <span>{item.label}</span>
      <span className="dim">{item.note}</span>
    </li>
  );
}

function usePerform(): (act: PaletteAct) => void {
  const { go } = useNavigation();
  const theme = useThemeControl();
  const sync = useSyncNow();
  return (does) => {
    switch (does.act) {
      case 'go':
        go(does.to);
        return;
      case 'syncAll':
        sync.mutate(null);
        return;
      case 'syncOne':
        sync.mutate([does.ref]);
        return;
      case 'theme':
        theme.choose(does.theme);
        return;
    }
  };
}
