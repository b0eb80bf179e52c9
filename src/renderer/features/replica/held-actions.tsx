import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, LogIn, PauseCircle, Pencil, PlayCircle, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';

import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { Output } from '#shared/api/types.ts';
import type { HeldAction } from '#shared/model/held-decision.ts';
import type { HeldView } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { valueOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { failureWords } from '../../ui/failure-words.ts';
import { DeleteHeldDialog } from './delete-held-dialog.tsx';
import { exportHeld } from './export-held.ts';
import { notEditable } from './held-edit-model.ts';
import { heldScopes, outcomeSentences } from './held-scope-model.ts';
import type { HeldScope } from './held-scope-model.ts';

interface HeldActionsProps {
  readonly refId: string;
  readonly fleet: Fleet;
  readonly counts: Output<'replica.held'>['counts'];
  readonly chosen: HeldView | null;
  readonly onEdit: () => void;
  /** What came of it, in sentences; none while it is being done. */
  readonly onSaid: (sentences: readonly string[]) => void;
}

interface Decision {
  readonly action: HeldAction;
  readonly scope: HeldScope;
  readonly because: string;
}

/** What can be done with held changes: of one, of an object, or of all. */
export function HeldActions(props: HeldActionsProps) {
  const { refId, fleet, counts, chosen, onEdit, onSaid } = props;
  const { client } = useApi();
  const queries = useQueryClient();
  const [scopeKey, setScopeKey] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const scopes = heldScopes(counts, chosen);
  const scope = scopes.find(({ key }) => key === scopeKey) ?? scopes[0];
  const decide = useMutation({
    mutationFn: ({ action, scope: { selection }, because }: Decision) =>
      valueOf(client, 'replica.decideHeld', { ref: refId, action, selection, because }),
    onSuccess: (outcome) => {
      onSaid(outcomeSentences(outcome));
    },
    onSettled: () => {
      setAsking(false);
      void queries.invalidateQueries({ queryKey: ['held', refId] });
      void queries.invalidateQueries({ queryKey: ['replica', refId] });
    },
  });
  const save = useMutation({
    mutationFn: (selection: HeldScope['selection']) => exportHeld(client, refId, selection),
  });
  if (scope === undefined) return null;
  const run = (action: HeldAction, because = ''): void => {
    onSaid([]);
    decide.mutate({ action, scope, because });
  };
  const exportThem = (): void => {
    save.mutate(scope.selection);
  };
  return (
    <>
      <div className="bar held-bar" role="group" aria-label="Act on held changes">
        <ScopeChoice scopes={scopes} current={scope} onChoose={setScopeKey} />
        <ActionButtons
          chosen={chosen}
          onEdit={onEdit}
          isDeciding={decide.isPending}
          isSaving={save.isPending}
          onAction={run}
          onExport={exportThem}
          onDelete={() => {
            setAsking(true);
          }}
        />
      </div>
      <HeldFailed error={decide.error ?? save.error} />
      {isAsking && (
        <DeleteHeldDialog
          refId={refId}
          fleet={fleet}
          scope={scope}
          isBusy={decide.isPending}
          onExport={exportThem}
          onConfirm={(because) => {
            run('delete', because);
          }}
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </>
  );
}

function ActionButtons(props: {
  readonly chosen: HeldView | null;
  readonly onEdit: () => void;
  readonly isDeciding: boolean;
  readonly isSaving: boolean;
  readonly onAction: (action: HeldAction) => void;
  readonly onExport: () => void;
  readonly onDelete: () => void;
}) {
  const { chosen, onEdit, isDeciding, isSaving, onAction, onExport, onDelete } = props;
  const noteId = useId();
  const whyNot = notEditable(chosen);
  return (
    <>
      {PLAIN.map(({ action, icon, label }) => (
        <Button
          key={action}
          icon={icon}
          busy={isDeciding}
          onClick={() => {
            onAction(action);
          }}
        >
          {label}
        </Button>
      ))}
      <Button icon={Pencil} aria-disabled={whyNot !== null} aria-describedby={noteId} onClick={onEdit}>
        Edit…
      </Button>
      <Button icon={Download} busy={isSaving} onClick={onExport}>
        Export
      </Button>
      <Button icon={Trash2} busy={isDeciding} onClick={onDelete}>
        Delete…
      </Button>
      <span className="dim small" id={noteId}>
        {whyNot}
      </span>
    </>
  );
}

function ScopeChoice(props: {
  readonly scopes: readonly HeldScope[];
  readonly current: HeldScope;
  readonly onChoose: (key: string) => void;
}) {
  return (
    <label className="bar-choice sec small">
      For
      <select
        className="input"
        aria-label="Which held changes"
        value={props.current.key}
        onChange={(event) => {
          props.onChoose(event.target.value);
        }}
      >
        {props.scopes.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

const PLAIN = [
  { action: 'drain', icon: LogIn, label: 'Drain' },
  { action: 'quarantine', icon: PauseCircle, label: 'Quarantine' },
  { action: 'release', icon: PlayCircle, label: 'Release' },
] as const;

function HeldFailed({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  const { why, next } = failureWords(error);
  return (
    <p className="form-failed bar-note st-blocked" role="alert">
      <b>Nothing was done.</b> {why} {next}
    </p>
  );
}
