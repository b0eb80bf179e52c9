import type { ComponentProps, MouseEvent } from 'react';

import { formatRoute } from './route-model.ts';
import type { Route } from './route-model.ts';
import { useNavigation } from './router.tsx';

type LinkToProps = Omit<ComponentProps<'a'>, 'href'> & { readonly to: Route };

/** A link within the console: a real address, so it can be opened beside, copied and kept. */
export function LinkTo({ to, onClick, ...rest }: LinkToProps) {
  const { go } = useNavigation();
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    event.preventDefault();
    go(to);
  };
  return <a {...rest} href={formatRoute(to)} onClick={follow} />;
}
