/** Prefix of the outbox's storage keys. One key an entry: tabs that write at the same time do not overwrite each other. */
export const OUTBOX_PREFIX = "mulkko.outbox.";
/** Key of unanswered openings in builds before the outbox. */
export const OPENINGS_KEY = "mulkko.openings";
