/** Bytes of one message. Larger ones are neither sent nor read. */
export const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

/** Bytes at which a page is full, whatever its facts: a slow link then still shows progress. */
export const PAGE_BYTES_MAX = 8 * 1024 * 1024;

/** Facts of a page. A pull may ask for less, never for more. */
export const PAGE_FACTS_MAX = 1000;

/** Conflicts that one pull may name: a puller has at most one blocked batch per peer, so this is ample. */
export const PULL_CONFLICTS_MAX = 1000;

/** Maps and arrays within each other. The deepest message, a page, needs nine. */
export const DEPTH_MAX = 16;

/** Characters of an error's facts, names of programs and other texts for people. */
export const SHORT_TEXT_MAX = 1000;
