import type { ResolutionOption } from '#shared/model/vocabulary.ts';

/** What the ways out are called, as a card's title and in the journal. */
export const OPTION_TITLES: Readonly<Record<ResolutionOption, string>> = {
  takeRemote: 'Take remote',
  keepLocal: 'Keep local',
  merge: 'Merge',
  renameLocalAside: 'Rename local aside',
  setAside: 'Set aside and continue',
  retry: 'Retry',
  skip: 'Skip',
  newSite: 'Take on as a new site',
};

/** What else a person decides, and what Concord says in the journal itself. */
const OTHER_TITLES: Readonly<Record<string, string>> = {
  quarantineHeld: 'Quarantine held changes',
  releaseHeld: 'Release held changes',
  drainHeld: 'Drain held changes',
  deleteHeld: 'Delete held changes',
  editHeld: 'Edit a held row',
  pruneHeld: 'Prune held changes',
};

/** The title of an option that comes as text; what this console does not know is said as it came. */
export function optionTitle(option: string): string {
  if (Object.hasOwn(OPTION_TITLES, option)) return OPTION_TITLES[option as ResolutionOption];
  return Object.hasOwn(OTHER_TITLES, option) ? (OTHER_TITLES[option] ?? option) : option;
}
