import { CopyButton } from '../../ui/copy-button.tsx';

/** The head of a long ID; the whole is on hover and copied. */
export function CopyableId({ id, what }: { readonly id: string; readonly what: string }) {
  return (
    <span className="mono" title={id}>
      {id.slice(0, 15)}… <CopyButton text={id} what={what} />
    </span>
  );
}
