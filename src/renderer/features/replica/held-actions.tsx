import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, LogIn, PauseCircle, PlayCircle, Trash2 } from 'lucide-react';
import { useState } from 'react';

import type { Output } from '#shared/api/types.ts';
import type { HeldAction } from '#shared/model/held-decision.ts';
import type { HeldView } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { valueOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { failureWords } from '../../ui/failure-words.ts';
import { DeleteHeldDialog } from './delete-held-dialog.tsx';
import { exportHeld } from './export-held.ts';
import { heldScopes, outcomeSentences } from './held-scope-model.ts';
import type { HeldScope } from './held-scope-model.ts';

interface HeldActionsProps {
  readonly refId: string;
  readonly counts: Output<'replica.held'>['counts'];
  readonly chosen: HeldView | null;
}

interface Decision {
  readonly action: HeldAction;
  readonly scope: HeldScope;
  readonly because: string;
}

/** What can be done with held changes: of one, of an object, or of all. */
export function HeldActions({ refId, counts, chosen }: HeldActionsProps) {
  const { client } = useApi();
  const queries = useQueryClient();
  const [scopeKey, setScopeKey] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const scopes = heldScopes(counts, chosen);
  const scope = scopes.find(({ key }) => key === scopeKey) ?? scopes[0];
  const decide = useMutation({
    mutationFn: ({ action, scope: { selection }, because }: Decision) =>
      valueOf(client, 'replica.decideHeld', { ref: refId, action, selection, because }),
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
    decide.mutate({ action, scope, because });
  };
  return (
    <>
      <div className="bar" role="group" aria-label="Act on held changes">
        <ScopeChoice scopes={scopes} current={scope} onChoose={setScopeKey} />
        <ActionButtons
          isDeciding={decide.isPending}
          isSaving={save.isPending}
          onAction={run}
          onExport={() => {
            save.mutate(scope.selection);
          }}
          onDelete={() => {
            setAsking(true);
          }}
        />
      </div>
      <HeldMessage
        error={decide.error ?? save.error}
        sentences={decide.data === undefined ? [] : outcomeSentences(decide.data)}
      />
      {isAsking && (
        <DeleteHeldDialog
          what={scope.label}
          isBusy={decide.isPending}
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
  readonly isDeciding: boolean;
  readonly isSaving: boolean;
  readonly onAction: (action: HeldAction) => void;
  readonly onExport: () => void;
  readonly onDelete: () => void;
}) {
  const { isDeciding, isSaving, onAction, onExport, onDelete } = props;
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
      <Button icon={Download} busy={isSaving} onClick={onExport}>
        Export
      </Button>
      <Button tone="danger" icon={Trash2} busy={isDeciding} onClick={onDelete}>
        Delete…
      </Button>
    </>
  );
}

function ScopeChoice(props: {
  readonly scopes: readonly HeldScope[];
  readonly current: HeldScope;
  readonly onChoose: (key: string) => void;
}) {
  return (
    <label className="sec small">
      For{' '}
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

function HeldMessage({
  error,
  sentences,
}: {
  readonly error: Error | null;
  readonly sentences: readonly string[];
}) {
  if (error !== null) {
    const { why, next } = failureWords(error);
    return (
      <p className="form-failed st-blocked" role="alert">
        <b>Nothing was done.</b> {why} {next}
      </p>
    );
  }
  return (
    <div role="status">
      {sentences.map((sentence) => (
        <p key={sentence} className="sec small">
          {sentence}
        </p>
      ))}
    </div>
  );
}
