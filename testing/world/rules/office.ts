import { beginSession } from "../../../api/src/accounts/sessions.ts";
import { fetchOver } from "../network/http.ts";
import { Line } from "../network/line.ts";
import { Machine } from "../network/machine.ts";
import type { Scene } from "../scene/scene.ts";

/** Delay before a call without a final answer is repeated, ms. */
const AGAIN_MS = 2_000;

/** A call of the office; `body` is sent as JSON. */
export interface OfficeCall {
  readonly method: "PUT" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

/**
 * A computer on which people do what ends access, with an own session for each act. Its lines to farm API and relay
 * never fail; what they lead to may.
 */
export class Office {
  readonly #scene: Scene;
  readonly #lines: Readonly<Record<"api" | "relay", Line>>;

  /** @param random a number from 0 to 1, for the delays of its lines */
  constructor(scene: Scene, random: () => number) {
    this.#scene = scene;
    const { api, relays, time } = scene;
    const machine = new Machine("office", time, { offsetMs: 0, drift: 0 });
    machine.boot();
    this.#lines = {
      api: new Line(machine, api.machine, time, random),
      relay: new Line(machine, relays.next().machine, time, random),
    };
  }

  /**
   * Do something as the user of an account, again until there is a final answer.
   *
   * @param done called with the status of the final answer: any but 401 to 403, 408, 409, 429 and 5xx
   */
  act(accountId: string, via: "api" | "relay", call: OfficeCall, done: (status: number) => void): void {
    const attempt = (): void =>
      this.actOnce(accountId, via, call, (status) => {
        const isFinal = status !== null && status < 500 && ![401, 403, 408, 409, 429].includes(status);
        if (isFinal) done(status);
        else this.#scene.time.after(AGAIN_MS, attempt);
      });
    attempt();
  }

  /** Do something once. @param done called with the status of the answer; null without one */
  actOnce(
    accountId: string,
    via: "api" | "relay",
    call: OfficeCall,
    done: (status: number | null) => void,
  ): void {
    this.#scene.atApi(async ({ database, tokens }) => {
      const now = this.#scene.api.machine.clock.now();
      const { accessToken } = await beginSession(database, tokens, accountId, "office", now);
      // The answer needs time, in which the world goes on.
      this.#send(via, call, accessToken).then(done, () => done(null));
    });
  }

  /** @returns the status; null without an answer */
  async #send(via: "api" | "relay", call: OfficeCall, accessToken: string): Promise<number | null> {
    const { api, relays, time } = this.#scene;
    const fetch = fetchOver(this.#lines[via], time, () => (via === "api" ? api : relays.next()));
    // A frozen machine does not answer before it is thawed.
    const patience = new AbortController();
    const late = time.after(60_000, () => patience.abort(new Error("no answer")));
    try {
      const { status } = await fetch(call.path, {
        method: call.method,
        headers: {
          authorization: `Bearer ${accessToken}`,
          ...(call.body && { "content-type": "application/json" }),
        },
        body: call.body ? JSON.stringify(call.body) : null,
        signal: patience.signal,
      });
      return status;
    } catch {
      return null;
    } finally {
      late.cancel();
    }
  }
}
