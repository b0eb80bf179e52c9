import type { DiffProps } from './diff-view.tsx';
import { DdlText } from './ddl-text.tsx';

/** Two texts beside each other without marks: stands in for the diff editor where that cannot be. */
export function TextDiff({ original, modified, originalLabel, modifiedLabel }: DiffProps) {
  return (
    <div className="text-diff">
      <figure aria-label={originalLabel}>
        <DdlText ddl={original} />
      </figure>
      <figure aria-label={modifiedLabel}>
        <DdlText ddl={modified} />
      </figure>
    </div>
  );
}
