import { QueryClientProvider } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';

import { ApiProvider } from '../api/api-context.tsx';
import type { Api } from '../api/api-context.tsx';
import { ThemeProvider } from '../theme/theme-context.tsx';
import type { ThemeControl } from '../theme/theme.ts';
import { ClockProvider } from '../ui/clock.tsx';
import type { PageClock } from '../ui/clock.tsx';
import { InspectorOpenProvider } from '../ui/inspector-open.tsx';
import { NotificationsProvider } from '../ui/notifications.tsx';
import { RouterProvider } from '../ui/router.tsx';
import type { AddressBar } from '../ui/router.tsx';
import { Frame } from './frame.tsx';
import '../theme/tokens.css';
import '../theme/base.css';

/** All that the console takes from the page it is in. */
export interface AppWorld {
  readonly api: Api;
  readonly queryClient: QueryClient;
  readonly addressBar: AddressBar;
  readonly clock: PageClock;
  readonly theme: ThemeControl;
}

/** The console, whatever host answers it. */
export function App({ world }: { readonly world: AppWorld }) {
  return (
    <QueryClientProvider client={world.queryClient}>
      <ApiProvider api={world.api}>
        <ThemeProvider control={world.theme}>
          <ClockProvider clock={world.clock}>
            <RouterProvider addressBar={world.addressBar}>
              <NotificationsProvider>
                <InspectorOpenProvider>
                  <Frame />
                </InspectorOpenProvider>
              </NotificationsProvider>
            </RouterProvider>
          </ClockProvider>
        </ThemeProvider>
      </ApiProvider>
    </QueryClientProvider>
  );
}
