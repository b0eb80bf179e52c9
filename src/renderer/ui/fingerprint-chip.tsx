import { useCopy } from './copy-button.tsx';
import { fingerprintSign } from './fingerprint-model.ts';
import './fingerprint-chip.css';

interface FingerprintChipProps {
  readonly fingerprint: string;
  /** The fingerprint that most replicas have is drawn without a border, so that the others stand out. */
  readonly isMajor?: boolean;
  /** As last seen, not current. */
  readonly isOld?: boolean;
}

/** A schema fingerprint: six bars and six characters. A click copies the whole. */
export function FingerprintChip({ fingerprint, isMajor = false, isOld = false }: FingerprintChipProps) {
  const copy = useCopy();
  const { code, hue, bars } = fingerprintSign(fingerprint);
  const tone = `${isMajor ? 'fingerprint-major' : ''} ${isOld ? 'fingerprint-old' : ''}`;
  return (
    <button
      type="button"
      className={`fingerprint ${tone}`}
      title={`Schema fingerprint ${fingerprint}. Click to copy it.`}
      aria-label={`Schema fingerprint ${code}${isOld ? ', as last seen' : ''}, copy`}
      onClick={() => {
        copy(fingerprint, 'the fingerprint');
      }}
    >
      <i style={{ '--h': hue } as React.CSSProperties} aria-hidden>
        {bars.map((height, index) => (
          <u key={index} style={{ height }} />
        ))}
      </i>
      {code}
    </button>
  );
}
