import { useId } from 'react';
import type { ReactNode } from 'react';
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

/** The column at the right: about the selected thing, actions at the bottom. */
export function Inspector({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <aside className="inspector" aria-label={label}>
      {children}
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
