import { QueryClient } from '@tanstack/react-query';

/**
 * What the page knows of the host. Nothing is asked again by itself: pushes say what changed, and a lost pipe asks
 * for everything when it is back. A failure is shown at once with its way out instead of being tried in silence.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: Infinity, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
