import { PanelRightClose, PanelRightOpen } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { useInspectorOpen } from './inspector-open.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import './panel.css';

interface PanelProps {
  readonly title: ReactNode;
  /** A few words beside the title, quieter. */
  readonly note?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A titled surface in the content. Panels do not nest. */
export function Panel({ title, note, aside, children }: PanelProps) {
  const titleId = useId();
  return (
    <section className="panel" aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{title}</h2>
        {note !== undefined && <span className="dim">{note}</span>}
        {aside !== undefined && <span className="panel-aside">{aside}</span>}
      </header>
      {children}
    </section>
  );
}

/**
 * The column at the right: about the selected thing, actions at the bottom. Where there is no room for it beside the
 * content it is a strip that opens over it.
 */
export function Inspector({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const { isOpen, toggle } = useInspectorOpen();
  const bodyId = useId();
  useShortcuts({ i: toggle });
  const Icon = isOpen ? PanelRightClose : PanelRightOpen;
  return (
    <aside className="inspector" aria-label={label} data-open={isOpen || undefined}>
      <button
        type="button"
        className="inspector-toggle"
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={toggle}
      >
        <Icon className="icon" size={16} aria-hidden />
        <span>
          <span className="unseen">{isOpen ? 'Put away: ' : 'Show: '}</span>
          {label}
        </span>
      </button>
      <div className="inspector-body" id={bodyId}>
        {children}
      </div>
    </aside>
  );
}

interface InspectorSectionProps {
  readonly title?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export function InspectorSection({ title, className, children }: InspectorSectionProps) {
  return (
    <section className={className}>
      {title !== undefined && <h3 className="section-title">{title}</h3>}
      {children}
    </section>
  );
}

/** Names and values in two columns. A value that is not known is "?", never an empty cell. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
