import type { Stamp } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';

import type { LineRefusal } from '../store/blocked-line.ts';
import { missedSentence } from '../store/pruned-deletes.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import type { PullRefusal } from './replica.ts';

const CAUSES = {
  'epoch-changed': 'epochChanged',
  'too-old': 'tooOld',
  'duplicate-site': 'duplicateSite',
} as const satisfies Readonly<Record<PullRefusal['code'], LineRefusal['cause']>>;

/** What a peer refused, or this replica before asking it, as the cause of a blocked line. */
export const toLineRefusal = ({ code, message }: PullRefusal): LineRefusal => ({
  cause: CAUSES[code],
  message,
});

/** Re-bootstrapping is not there yet; the sentence says what is. */
const REMEDY = `Nothing is taken from it or given to it until it is made anew from a replica that is up to date.`;

/** This replica is too old for the one that it pulls from. */
export const tooOldHere = (store: ReplicaStore, source: SiteId, missed: Stamp): LineRefusal => ({
  cause: 'tooOld',
  message: `This replica, ${store.site}, is too old for ${source}: ${missedSentence(missed)}. ${REMEDY}`,
});

/** This replica is too old for the one that pulls from it. */
export const tooOldForPuller = (store: ReplicaStore, puller: SiteId, missed: Stamp): PullRefusal => ({
  code: 'too-old',
  message: `${store.site} is too old for ${puller}: ${missedSentence(missed)}. ${REMEDY}`,
});

/** A place that is in no history of the file that answers. */
export const placeUnknown = (store: ReplicaStore, seq: number): PullRefusal => ({
  code: 'epoch-changed',
  message: `The place ${String(seq)} at which the puller stands is not in the history of ${store.site}: its file was restored from an older copy, or is a copy itself. ${TAKE_ON}`,
});

/** The file that has a site ID now is another one than before. */
export const fileReplaced = (site: SiteId): PullRefusal => ({
  code: 'epoch-changed',
  message: `${site} is another file than before, and nobody said why. ${TAKE_ON}`,
});

/** Both ends of a link are one site. */
export const oneSiteTwice = (store: ReplicaStore): PullRefusal => ({
  code: 'duplicate-site',
  message: `Two replicas have the site ID ${store.site}; one of them, in ${store.db.path}, may be the copy. ${TAKE_ON}`,
});

const TAKE_ON = `Take the restored or copied file on as a new site (concord new-site): it keeps its rows and what it wrote since.`;
