import { Button } from '../../ui/button.tsx';

/** Fetches the next page of a list. */
export function OlderButton(props: {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}) {
  const { query } = props;
  if (!query.hasNextPage) return null;
  return (
    <div className="bar">
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Show older
      </Button>
    </div>
  );
}
