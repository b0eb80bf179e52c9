import { useEffect, useRef, useState } from 'react';

import { useLinkState } from '../api/api-context.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { parentRoute, screenKey } from '../ui/route-model.ts';
import { useNavigation, useRoute } from '../ui/router.tsx';
import { ScreenFailed } from '../ui/screen-failed.tsx';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { Dialogs } from './dialogs.tsx';
import { HostStrip } from './host-strip.tsx';
import { Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import { CurrentScreen } from './current-screen.tsx';
import './frame.css';

/** Rail, strip and the current screen, with what lies over them. */
export function Frame() {
  const route = useRoute();
  const { go } = useNavigation();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  useFocusOnNewScreen(screenKey(route));
  const isLost = useLinkState().status === 'lost';
  const showKeys = (): void => {
    go({ ...route, dialog: 'keys' });
  };
  useShortcuts({
    'mod+k': () => {
      setPaletteOpen(true);
    },
    '?': showKeys,
    'g f': () => {
      go({ screen: 'fleet' });
    },
    'g b': () => {
      go({ screen: 'blockedList' });
    },
    'g h': () => {
      go({ screen: 'held' });
    },
    'g a': () => {
      go({ screen: 'activity' });
    },
    'g s': () => {
      go({ screen: 'settings' });
    },
    escape: () => {
      const parent = parentRoute(route);
      if (parent !== null) go(parent);
    },
  });
  return (
    <div className="app">
      <a className="skip-link" href="#main" onClick={focusMain}>
        To the content
      </a>
      <Rail
        onPalette={() => {
          setPaletteOpen(true);
        }}
        onKeys={showKeys}
      />
      <main className={`main ${isLost ? 'as-of' : ''}`} id="main" tabIndex={-1}>
        <HostStrip />
        <ErrorBoundary
          key={screenKey(route)}
          fallback={(error, retry) => <ScreenFailed what="This screen" error={error} onRetry={retry} />}
        >
          <CurrentScreen route={route} />
        </ErrorBoundary>
      </main>
      <Dialogs route={route} />
      {isPaletteOpen && (
        <Palette
          onClose={() => {
            setPaletteOpen(false);
          }}
        />
      )}
    </div>
  );
}

/** A new screen begins at its beginning, also for those who listen or walk with Tab. */
function useFocusOnNewScreen(key: string): void {
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [key]);
}

/** The hash is the router's, so the skip link moves the focus itself. */
function focusMain(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
