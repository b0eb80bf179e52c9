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

/** The title of an option that comes as text; what this console does not know is said as it came. */
export function optionTitle(option: string): string {
  return Object.hasOwn(OPTION_TITLES, option) ? OPTION_TITLES[option as ResolutionOption] : option;
}
