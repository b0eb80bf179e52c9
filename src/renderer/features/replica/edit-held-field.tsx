import { useId } from 'react';

import { columnWords, kindOfType } from './held-edit-model.ts';
import type { EditedField, TypedValue, ValueKind } from './held-edit-model.ts';

interface EditHeldFieldProps {
  readonly field: EditedField;
  readonly onType: (value: TypedValue) => void;
}

/** One column: its name and type, how the value is stored, the value, and what is wrong with it. */
export function EditHeldField({ field, onType }: EditHeldFieldProps) {
  const { column, held, typed, wrong, isChanged } = field;
  const id = useId();
  const isKey = column.primaryKey > 0;
  const notes = [
    columnWords(column),
    ...(held === null && !isChanged ? ['the row has no value: the default goes in'] : []),
  ];
  return (
    <div
      className="edit-field"
      role="group"
      aria-labelledby={`${id}-name`}
      data-changed={isChanged || undefined}
    >
      <div className="edit-field-head">
        <code id={`${id}-name`}>{column.name}</code>
        <span className="dim">{notes.join('; ')}</span>
      </div>
      <div className="form-line">
        <ValueInput field={field} describedBy={`${id}-wrong`} onType={onType} />
        {!isKey && (
          <select
            className="input edit-kind"
            aria-label={`How ${column.name} is stored`}
            value={typed.kind}
            onChange={(event) => {
              onType({ kind: event.target.value as ValueKind, text: typed.text });
            }}
          >
            {KINDS.filter(({ kind }) => kind !== 'textBytes' || held?.kind === 'textBytes').map(
              ({ kind, label }) => (
                <option key={kind} value={kind}>
                  {label}
                </option>
              ),
            )}
          </select>
        )}
      </div>
      <p className="edit-wrong st-blocked" id={`${id}-wrong`} aria-live="polite">
        {wrong}
      </p>
    </div>
  );
}

const KINDS: readonly { readonly kind: ValueKind; readonly label: string }[] = [
  { kind: 'text', label: 'text' },
  { kind: 'integer', label: 'whole number' },
  { kind: 'real', label: 'fraction' },
  { kind: 'blob', label: 'bytes' },
  { kind: 'textBytes', label: 'text as bytes' },
  { kind: 'null', label: 'NULL' },
];

/** Longer text, and text of more lines, has a field of more lines. */
const LINE_CHARS = 64;

function ValueInput(props: {
  readonly field: EditedField;
  readonly describedBy: string;
  readonly onType: (value: TypedValue) => void;
}) {
  const { field, describedBy, onType } = props;
  const { column, held, typed, wrong } = field;
  const given = {
    className: 'input mono',
    'aria-label': column.name,
    'aria-describedby': describedBy,
    'aria-invalid': wrong !== null,
    autoComplete: 'off',
    spellCheck: false,
    readOnly: column.primaryKey > 0,
    value: typed.text,
    placeholder: typed.kind === 'null' ? 'NULL' : '',
    onChange: (event: { readonly target: { readonly value: string } }) => {
      const kind = typed.kind === 'null' ? kindOfType(column.type) : typed.kind;
      onType({ kind, text: event.target.value });
    },
  };
  // By what is held, not by what is typed: a field that changes its kind under the hands would lose the focus.
  const text = held?.kind === 'text' ? held.text : '';
  const isLong = typed.kind === 'text' && (text.length > LINE_CHARS || text.includes('\n'));
  return isLong ? <textarea {...given} rows={3} /> : <input {...given} type="text" />;
}
