import { LinkTo } from './link-to.tsx';
import type { Sentence } from './sentence-model.ts';

/** Draws a sentence: names in mono, underlined where they lead somewhere. */
export function SentenceText({ sentence }: { readonly sentence: Sentence }) {
  return sentence.map((part, index) => {
    // The parts of one sentence have no identity but their place.
    const key = index;
    if (typeof part === 'string') return <span key={key}>{part}</span>;
    if (part.to === undefined) return <code key={key}>{part.name}</code>;
    return (
      <LinkTo key={key} to={part.to} className="name-link">
        <code>{part.name}</code>
      </LinkTo>
    );
  });
}
