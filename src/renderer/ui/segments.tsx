import { useId } from 'react';
import './segments.css';

interface Segment<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

interface SegmentsProps<Name extends string> {
  readonly label: string;
  readonly segments: readonly Segment<Name>[];
  readonly current: Name;
  readonly onSelect: (name: Name) => void;
}

/** A filter of which one part is active: a group of radio buttons, so arrow keys work by themselves. */
export function Segments<Name extends string>({ label, segments, current, onSelect }: SegmentsProps<Name>) {
  const group = useId();
  return (
    <fieldset className="segments">
      <legend className="unseen">{label}</legend>
      {segments.map((segment) => (
        <label key={segment.name}>
          <input
            type="radio"
            name={group}
            className="unseen"
            checked={segment.name === current}
            onChange={() => {
              onSelect(segment.name);
            }}
          />
          <span>{segment.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
