import { CircleCheck, TriangleAlert } from 'lucide-react';
import { createContext, use, useCallback, useRef, useState } from 'react';
import type { ReactNode } from 'react';

import type { Route } from './route-model.ts';
import { LinkTo } from './link-to.tsx';
import './notifications.css';

/** An outcome worth a word where nobody is looking at its place on the screen. */
export interface Notification {
  readonly tone: 'done' | 'failed';
  readonly text: string;
  /** What takes it back, while that is possible. */
  readonly undo?: () => void;
  readonly more?: { readonly to: Route; readonly text: string };
}

const SHOWN_MS = 6000;
/** More at once would cover the screen; the oldest goes. */
const SHOWN_MAX = 3;

const NotifyContext = createContext<(notification: Notification) => void>(() => undefined);

export function useNotify(): (notification: Notification) => void {
  return use(NotifyContext);
}

interface Shown extends Notification {
  readonly id: number;
}

export function NotificationsProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const lastId = useRef(0);
  const close = useCallback((id: number) => {
    setShown((before) => before.filter((each) => each.id !== id));
  }, []);
  const notify = useCallback(
    (notification: Notification) => {
      lastId.current += 1;
      const id = lastId.current;
      setShown((before) => [...before.slice(1 - SHOWN_MAX), { ...notification, id }]);
      window.setTimeout(() => {
        close(id);
      }, SHOWN_MS);
    },
    [close],
  );
  return (
    <NotifyContext value={notify}>
      {children}
      <div className="notifications" role="status" aria-live="polite">
        {shown.map((each) => (
          <NotificationLine key={each.id} shown={each} onClose={close} />
        ))}
      </div>
    </NotifyContext>
  );
}

function NotificationLine(props: { readonly shown: Shown; readonly onClose: (id: number) => void }) {
  const { shown, onClose } = props;
  const isDone = shown.tone === 'done';
  const Icon = isDone ? CircleCheck : TriangleAlert;
  const undo = shown.undo;
  return (
    <div className={`notification ${isDone ? 'st-sync' : 'st-blocked'}`}>
      <Icon className="icon in-state" size={14} aria-hidden />
      <span>{shown.text}</span>
      {shown.more !== undefined && (
        <LinkTo to={shown.more.to} className="link">
          {shown.more.text}
        </LinkTo>
      )}
      {undo !== undefined && (
        <button
          type="button"
          className="notification-undo"
          onClick={() => {
            undo();
            onClose(shown.id);
          }}
        >
          Undo
        </button>
      )}
    </div>
  );
}
