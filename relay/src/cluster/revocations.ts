import type { Clock } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import { createMessageRate } from "../core/message-rate.ts";
import type { Log } from "../ports/log.ts";
import type { TokenProver } from "../ports/tokens.ts";
import type { NodeMessages } from "../store/store.ts";
import { NodeMessage } from "./messages.ts";
import type { Seal } from "./seal.ts";

export interface RevocationParts {
  readonly prover: Pick<TokenProver, "reject" | "onRejected" | "doubt" | "onDoubted">;
  readonly node: NodeMessages;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
}

/** What one node tells of tokens in a window: beyond it somebody is guessing, and tokens end by themselves. */
const TOLD_AT_MOST = 500;
const WINDOW_MS = 10_000;

/** AUTH-4 on several nodes: what one of them learns of tokens holds on all. Returns how to stop. */
export function shareRevocations({ prover, node, seal, clock, log }: RevocationParts): () => void {
  const rate = createMessageRate(TOLD_AT_MOST, WINDOW_MS);
  /** What comes from another node is not told again. */
  let hearing = false;

  const tell = (message: object): void => {
    if (hearing || !rate.admit(clock.monotonic())) return;
    node
      .tellOthers(message)
      .catch((error: unknown) => log.debug({ err: error }, "other nodes were not told of a token"));
  };
  const hear = (act: () => void): void => {
    hearing = true;
    try {
      act();
    } finally {
      hearing = false;
    }
  };
  const stops = [
    prover.onRejected((token) => tell({ kind: "rejected", token: seal.seal(token) })),
    prover.onDoubted((accountId) => tell({ kind: "doubted", accountId })),
    node.onTold((message) => {
      const told = parse(NodeMessage, message);
      if (!told.ok) return;
      if (told.value.kind === "doubted") {
        const { accountId } = told.value;
        hear(() => prover.doubt(accountId));
      } else if (told.value.kind === "rejected") {
        const token = seal.open(told.value.token);
        if (token !== null) hear(() => prover.reject(token));
      }
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
