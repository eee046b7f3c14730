import type { FastifyBaseLogger } from "fastify";

/** Log one line where the store begins to fail for any channel, and one where it has taken everything. */
export class StoreOutage {
  readonly #logger: Pick<FastifyBaseLogger, "error" | "info">;
  /** Writes that the store has not taken; bounded by the registered channels and devices. */
  readonly #failing = new Set<string>();

  constructor(logger: Pick<FastifyBaseLogger, "error" | "info">) {
    this.#logger = logger;
  }

  failed(what: string, error: unknown): void {
    if (this.#failing.size === 0) {
      this.#logger.error(
        { event: "watering-store-failed", err: error },
        "cannot store watering: valves are closed, but no mode opens",
      );
    }
    this.#failing.add(what);
  }

  /** Record that the store has taken it, or that it is no longer to be stored. */
  worked(what: string): void {
    if (!this.#failing.delete(what) || this.#failing.size > 0) return;
    this.#logger.info({ event: "watering-store-recovered" }, "watering stored again");
  }
}
