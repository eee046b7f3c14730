/**
 * Folder of the relay's files in `DATA_DIR`, with its own `lock.sqlite`. Only the process that holds that
 * lock may put a file there.
 */
export const RELAY_FOLDER = "relay";

/** The relay's SQLite database, used without Redis. */
export const RELAY_STORE_FILE = "relay.sqlite";

/** A store from a backup: the relay replaces its own with it at its next start. */
export const RESTORED_STORE_FILE = "restored.sqlite";
