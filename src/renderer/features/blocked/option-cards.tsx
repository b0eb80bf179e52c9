import { useId } from 'react';

import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import type { OptionCard } from './option-cards-model.ts';

interface OptionCardsProps {
  readonly cards: readonly OptionCard[];
  readonly object: string;
  readonly chosen: ResolutionOption | null;
  readonly onChoose: (option: ResolutionOption) => void;
}

/** The ways out that the host offers, as radio buttons: the arrow keys and 1 to 6 choose. */
export function OptionCards({ cards, object, chosen, onChoose }: OptionCardsProps) {
  const group = useId();
  return (
    <fieldset className="option-group">
      <legend>
        <span className="option-legend">
          What should <code>{object}</code> be?
        </span>
        <span className="dim small">
          Rows of both sides are kept under the chosen shape. No choice throws rows away.
        </span>
      </legend>
      <div className="option-cards" data-count={cards.length}>
        {cards.map((card, index) => (
          <label key={card.option} className="option-card" data-chosen={card.option === chosen || undefined}>
            <span className="option-title">
              <input
                type="radio"
                name={group}
                checked={card.option === chosen}
                aria-describedby={`${group}-${card.option}`}
                onChange={() => {
                  onChoose(card.option);
                }}
              />
              <span>{card.title}</span>
              <kbd aria-hidden>{index + 1}</kbd>
              <span className={`option-price option-price-${card.priceTone}`}>{card.price}</span>
            </span>
            <span id={`${group}-${card.option}`}>{card.consequence}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
