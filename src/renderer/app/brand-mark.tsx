/** The mark: two circles that meet. */
export function BrandMark({ sizePx = 20 }: { readonly sizePx?: number }) {
  return (
    <svg width={sizePx} height={sizePx} viewBox="0 0 24 24" fill="none" strokeWidth="2.400" aria-hidden>
      <circle cx="9" cy="12" r="6.500" stroke="var(--accent)" />
      <circle cx="15" cy="12" r="6.500" stroke="var(--st-sync)" />
    </svg>
  );
}
