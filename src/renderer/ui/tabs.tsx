import type { KeyboardEvent, ReactNode } from 'react';
import { useRef } from 'react';
import './tabs.css';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** Shown as a counter when given. */
  readonly count?: number;
  /** Class of the state that the counter is coloured with. */
  readonly countState?: string;
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly current: Name;
  readonly onSelect: (name: Name) => void;
  /** Prefix of the IDs that tie tabs to `TabPanel`. */
  readonly id: string;
}

/** Facets of one thing. Arrow keys, Home and End move; moving selects. */
export function Tabs<Name extends string>({ label, tabs, current, onSelect, id }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const next = tabAfterKey({ names: tabs.map((tab) => tab.name), current, key: event.key });
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-tab-${next}`)}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          role="tab"
          id={`${id}-tab-${tab.name}`}
          aria-selected={tab.name === current}
          aria-controls={tab.name === current ? `${id}-panel` : undefined}
          tabIndex={tab.name === current ? 0 : -1}
          onClick={() => {
            onSelect(tab.name);
          }}
        >
          {tab.label}
          {tab.count !== undefined && <b className={`tab-count ${tab.countState ?? ''}`}>{tab.count}</b>}
        </button>
      ))}
    </div>
  );
}

interface TabPanelProps {
  readonly id: string;
  readonly current: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export function TabPanel({ id, current, className, children }: TabPanelProps) {
  return (
    <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${current}`} className={className}>
      {children}
    </div>
  );
}

function tabAfterKey<Name extends string>(facts: {
  readonly names: readonly Name[];
  readonly current: Name;
  readonly key: string;
}): Name | undefined {
  const { names, current, key } = facts;
  const at = names.indexOf(current);
  switch (key) {
    case 'ArrowRight':
      return names[(at + 1) % names.length];
    case 'ArrowLeft':
      return names.at(at - 1);
    case 'Home':
      return names[0];
    case 'End':
      return names.at(-1);
    default:
      return undefined;
  }
}
