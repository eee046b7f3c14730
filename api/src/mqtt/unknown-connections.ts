import { addressGroup } from "@mulkko/shared/server/address-group";

/**
 * Connections that have not shown a key yet (SHARE-7). A farm behind one address connects again at once after an
 * outage, so an address has no number of its own. Where too many are unknown, the address with most of them loses
 * its oldest: devices show their keys within milliseconds, and what stays unknown is idle.
 */
export class UnknownConnections<Connection extends object> {
  readonly #most: number;
  readonly #groupOf = new Map<Connection, string>();
  /** Oldest first. */
  readonly #groups = new Map<string, Set<Connection>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Count a connection. @returns the one that has to end for it; null where there is room */
  add(connection: Connection, address: string): Connection | null {
    const group = addressGroup(address);
    const own = this.#groups.get(group) ?? new Set();
    this.#groups.set(group, own.add(connection));
    this.#groupOf.set(connection, group);
    if (this.#groupOf.size <= this.#most) return null;
    const largest = [...this.#groups.values()].reduce((one, other) => (other.size > one.size ? other : one));
    const [oldest = null] = largest;
    if (oldest !== null) this.remove(oldest);
    return oldest;
  }

  /** Uncount a connection that has shown its key, or has ended. */
  remove(connection: Connection): void {
    const group = this.#groupOf.get(connection);
    if (group === undefined) return;
    this.#groupOf.delete(connection);
    const own = this.#groups.get(group);
    own?.delete(connection);
    if (own?.size === 0) this.#groups.delete(group);
  }
}
