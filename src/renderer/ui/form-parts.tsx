import type { ReactNode } from 'react';

import type { FleetReplica } from '#shared/api/fleet-replica.ts';

import { failureWords } from './failure-words.ts';

interface FormFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly isSecret?: boolean;
  /** Has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  /** A button beside the field. */
  readonly children?: ReactNode;
}

export function FormField(props: FormFieldProps) {
  const { label, value, onChange, placeholder, isSecret = false, isFirst = false, children } = props;
  return (
    <div className="form-line">
      <label className="form-row grow">
        {label}
        <input
          className="input"
          type={isSecret ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          autoFocus={isFirst}
          placeholder={placeholder}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      </label>
      {children}
    </div>
  );
}

/** What did not happen, why, and the next step. */
export function FormFailed({ error, what }: { readonly error: Error; readonly what: string }) {
  const { why, next } = failureWords(error);
  return (
    <p className="form-failed st-blocked" role="alert">
      <b>{what}</b> {why} {next}
    </p>
  );
}

interface ReplicaChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (ref: string) => void;
  readonly replicas: readonly FleetReplica[];
}

/** One of the replicas of the fleet. */
export function ReplicaChoice({ label, value, onChange, replicas }: ReplicaChoiceProps) {
  return (
    <label className="form-row">
      {label}
      <select
        className="input"
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      >
        {replicas.map(({ ref, name, host }) => (
          <option key={ref} value={ref}>
            {name}, {host}
          </option>
        ))}
      </select>
    </label>
  );
}
