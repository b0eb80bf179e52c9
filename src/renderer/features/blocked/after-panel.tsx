import { CircleCheck, OctagonX } from 'lucide-react';

import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';

import { afterCells } from './preview-model.ts';
import type { Preview } from './option-cards-model.ts';

/** What each replica does after the decision. */
export function AfterPanel(props: { readonly preview: Preview | undefined; readonly detail: BlockedDetail }) {
  const { preview, detail } = props;
  if (preview === undefined || preview.replicas.length === 0) return null;
  return (
    <section aria-label="After the decision, replica by replica">
      <h2 className="after-title">
        After it <span className="dim">replica by replica</span>
      </h2>
      <ul className="panel after-list">
        {afterCells(preview, detail).map((cell) => {
          const isStuck = cell.role !== 'other';
          const Icon = isStuck ? OctagonX : CircleCheck;
          return (
            <li key={cell.ref} className={isStuck ? 'st-blocked' : 'st-sync'}>
              <h3>
                <Icon className="icon in-state" size={12} aria-hidden /> {cell.name}
              </h3>
              {cell.words}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
