import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { HeldView } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { valueOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormField } from '../../ui/form-parts.tsx';
import { HELD_REASON_WORDS } from '../../ui/held-words.ts';
import { FailedNotice, ReadingNotice } from '../../ui/notice.tsx';
import { EditHeldField } from './edit-held-field.tsx';
import { changedValues, editedField, editFields, valuesWithoutColumn } from './held-edit-model.ts';
import type { EditedField, EditField, TypedValue } from './held-edit-model.ts';
import { keyText } from './migration-model.ts';
import { catalogQuery } from './replica-queries.ts';

interface EditHeldDialogProps {
  readonly refId: string;
  readonly change: HeldView;
  readonly onDone: (detail: string) => void;
  readonly onClose: () => void;
}

/** Writes a held row with other values: its columns as fields, as the table here has them. */
export function EditHeldDialog(props: EditHeldDialogProps) {
  const { refId, change, onClose } = props;
  const catalog = useQuery(catalogQuery(useApi().client, refId));
  const title = `Edit ${change.table} ${keyText(change.key)}`;
  if (catalog.data !== undefined) {
    const table = catalog.data.objects.find(
      ({ kind, name }) => kind === 'table' && name.toLowerCase() === change.table.toLowerCase(),
    );
    const missing = valuesWithoutColumn(table?.columns ?? [], change);
    if (table !== undefined && missing.length === 0)
      return <EditForm {...props} title={title} fields={editFields(table.columns, change)} />;
    return (
      <CannotEdit title={title} onClose={onClose}>
        {table === undefined
          ? `There is no table ${change.table} here: create it first, or wait for the peer that has it.`
          : `${table.name} has no column ${missing.join(', ')}, which the row has a value for: add it first.`}
      </CannotEdit>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {catalog.isError ? (
        <FailedNotice what="The catalog" error={catalog.error} onRetry={() => void catalog.refetch()} />
      ) : (
        <ReadingNotice what="the catalog" rows={4} />
      )}
    </Dialog>
  );
}

function CannotEdit(props: {
  readonly title: string;
  readonly children: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p>{props.children}</p>
      <div className="dialog-foot">
        <Button onClick={props.onClose}>Keep it held</Button>
      </div>
    </Dialog>
  );
}

function EditForm(
  props: EditHeldDialogProps & { readonly title: string; readonly fields: readonly EditField[] },
) {
  const { refId, change, onDone, onClose, title } = props;
  const [typed, setTyped] = useState<Readonly<Record<string, TypedValue>>>({});
  const [because, setBecause] = useState('');
  const fields = props.fields.map((field) => editedField(field, typed));
  const missing = missingWords(fields, because);
  const { client } = useApi();
  const queries = useQueryClient();
  const edit = useMutation({
    mutationFn: () =>
      valueOf(client, 'replica.editHeld', {
        ref: refId,
        id: change.id,
        values: changedValues(fields),
        because: because.trim(),
      }),
    onSuccess: ({ detail }) => {
      for (const topic of ['held', 'replica']) void queries.invalidateQueries({ queryKey: [topic, refId] });
      onDone(detail);
    },
  });
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      stays="Keep it held"
      submitLabel="Write the row"
      isReady={missing === null}
      isBusy={edit.isPending}
      onSubmit={() => {
        edit.mutate();
      }}
      error={edit.error}
      failed="The row was not written."
    >
      <p className="sec small">
        Held because {HELD_REASON_WORDS[change.reason]}. With other values it is written as an edit of yours,
        which travels to the peers and settles what is held of this row there too.
      </p>
      <div className="edit-fields">
        {fields.map((field) => (
          <EditHeldField
            key={field.column.name}
            field={field}
            onType={(value) => {
              setTyped({ ...typed, [field.column.name]: value });
            }}
          />
        ))}
      </div>
      <FormField label="Why? It goes into the decision journal." value={because} onChange={setBecause} />
      {missing !== null && <p className="dim small">{missing}</p>}
    </FormDialog>
  );
}

/** What is still to be given; null when the row can be written. */
function missingWords(fields: readonly EditedField[], because: string): string | null {
  if (fields.some(({ wrong }) => wrong !== null)) return 'One of the values cannot be written so.';
  if (!fields.some(({ isChanged }) => isChanged)) return 'Change the value for which it is held.';
  return because.trim() === '' ? 'Say why; it goes into the decision journal.' : null;
}
