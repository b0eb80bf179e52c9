import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

import { LinkTo } from './link-to.tsx';
import type { Route } from './route-model.ts';
import './button.css';

export type ButtonTone = 'plain' | 'primary' | 'danger' | 'quiet';

interface ButtonLook {
  readonly tone?: ButtonTone;
  readonly icon?: LucideIcon;
  /** The key that does the same, shown in the button. */
  readonly hint?: string;
  readonly children: ReactNode;
}

type ButtonProps = Omit<ComponentProps<'button'>, 'children'> & ButtonLook & { readonly busy?: boolean };

/** A button says verb and object. While busy it stays in place, says so, and takes no second click. */
export function Button({ tone = 'plain', icon, hint, children, busy = false, ...rest }: ButtonProps) {
  // Kept in the order of focus, unlike `disabled`, so that one can read why it is off.
  const isOff = busy || rest['aria-disabled'] === true;
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${tone}`}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : rest.onClick}
      data-busy={busy || undefined}
    >
      <ButtonContent icon={icon} hint={hint}>
        {children}
      </ButtonContent>
    </button>
  );
}

/** A link that looks like a button: it goes somewhere and changes nothing. */
export function ButtonLink({
  tone = 'plain',
  icon,
  hint,
  children,
  to,
}: ButtonLook & { readonly to: Route }) {
  return (
    <LinkTo to={to} className={`button button-${tone}`}>
      <ButtonContent icon={icon} hint={hint}>
        {children}
      </ButtonContent>
    </LinkTo>
  );
}

/** A button with a picture alone; its name is read aloud and shown on hover. */
export function IconButton(props: {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onClick: () => void;
}) {
  const { label, icon: Icon, onClick } = props;
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon className="icon" size={13} aria-hidden />
    </button>
  );
}

function ButtonContent(props: {
  readonly icon: LucideIcon | undefined;
  readonly hint: string | undefined;
  readonly children: ReactNode;
}) {
  const { icon: Icon, hint, children } = props;
  return (
    <>
      {Icon !== undefined && <Icon className="icon" size={14} aria-hidden />}
      {children}
      {hint !== undefined && <kbd aria-hidden>{hint}</kbd>}
    </>
  );
}
