/** Folder of the relay's files in `DATA_DIR`, with its own `lock.sqlite`: whoever holds that alone may put a file there. */
export const RELAY_FOLDER = "relay";

/** The relay's SQLite, for as long as it has no Redis. */
export const RELAY_STORE_FILE = "relay.sqlite";

/** A store out of a backup: the relay takes it in the place of its own at its next start. */
export const RESTORED_STORE_FILE = "restored.sqlite";
