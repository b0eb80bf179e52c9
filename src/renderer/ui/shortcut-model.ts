/** What a key press is called in shortcuts: `g`, `?`, `mod+k`, `escape`. Null for a press of a modifier alone. */
export function shortcutOf(event: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}): string | null {
  if (['Control', 'Meta', 'Shift', 'Alt', 'AltGraph'].includes(event.key)) return null;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) return `mod+${key}`;
  return event.altKey ? `alt+${key}` : key;
}

interface Step {
  readonly sequence: readonly string[];
  /** The shortcut that is complete with this key, or null. */
  readonly matched: string | null;
}

/** Adds a key to the keys pressed before; a key that leads nowhere starts anew. */
export function extendSequence(press: {
  readonly sequence: readonly string[];
  readonly key: string;
  readonly known: readonly string[];
}): Step {
  const { sequence, key, known } = press;
  const longer = [...sequence, key];
  const text = longer.join(' ');
  if (known.includes(text)) return { sequence: [], matched: text };
  if (known.some((shortcut) => shortcut.startsWith(`${text} `))) return { sequence: longer, matched: null };
  return sequence.length === 0
    ? { sequence: [], matched: null }
    : extendSequence({ sequence: [], key, known });
}

/** Whether keys pressed in this element are text. */
export function isTypedInto(element: HTMLElement): boolean {
  if (element.isContentEditable || element.tagName === 'TEXTAREA' || element.tagName === 'SELECT')
    return true;
  if (element.tagName !== 'INPUT') return false;
  return !['radio', 'checkbox', 'button'].includes(element.getAttribute('type') ?? 'text');
}
