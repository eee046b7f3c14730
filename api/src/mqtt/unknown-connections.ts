import { addressGroup } from "@mulkko/shared/server/address-group";

/** Counts connections that have not shown a key yet, by address group and in total (SHARE-7). */
export class UnknownConnections {
  readonly #perAddress: number;
  readonly #all: number;
  readonly #groups = new Map<object, string>();
  readonly #counts = new Map<string, number>();

  constructor(perAddress: number, all: number) {
    this.#perAddress = perAddress;
    this.#all = all;
  }

  /** Count a connection. @returns false where there are too many already */
  add(connection: object, address: string): boolean {
    const group = addressGroup(address);
    const count = this.#counts.get(group) ?? 0;
    if (count >= this.#perAddress || this.#groups.size >= this.#all) return false;
    this.#groups.set(connection, group);
    this.#counts.set(group, count + 1);
    return true;
  }

  /** Uncount a connection that has shown its key, or has ended. */
  remove(connection: object): void {
    const group = this.#groups.get(connection);
    if (group === undefined) return;
    this.#groups.delete(connection);
    const count = (this.#counts.get(group) ?? 0) - 1;
    if (count > 0) this.#counts.set(group, count);
    else this.#counts.delete(group);
  }
}
