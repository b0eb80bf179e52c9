import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, does: string])[];
}

const GROUPS: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      ['Ctrl K', 'go to or do anything (Cmd K on a Mac)'],
      ['G F', 'fleet'],
      ['G B', 'blocked'],
      ['G H', 'held changes'],
      ['G A', 'activity'],
      ['G S', 'settings'],
      ['I', 'show or put away the inspector in a narrow window'],
      ['Esc', 'back'],
      ['?', 'this list'],
    ],
  },
  {
    title: 'Lists',
    keys: [
      ['↑ ↓', 'or J and K: next and previous'],
      ['Enter', 'open'],
      ['/', 'filter'],
      ['O', 'open the replica in the inspector'],
    ],
  },
  { title: 'Replica', keys: [['R', 'check again']] },
  {
    title: 'Blocked batch',
    keys: [
      ['1 – 6', 'choose a card'],
      ['P', 'preview the chosen one'],
      ['N', 'next difference'],
      ['D', 'side by side, or in one column'],
      ['Ctrl Enter', 'apply (Cmd Enter on a Mac)'],
    ],
  },
];

/** All keys that do something. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      {GROUPS.map((group) => (
        <section key={group.title}>
          <h3 className="section-title">{group.title}</h3>
          <dl className="facts">
            {group.keys.map(([keys, does]) => (
              <div key={keys}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div className="dialog-foot">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
