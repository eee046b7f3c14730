import type { Clock } from "@mulkko/shared/rules/clock";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import { parse } from "@mulkko/shared/schema/parse";
import type { Log } from "../runtime/log.ts";
import type { NodeMessages } from "../store/store.ts";
import type { TokenCipher } from "../upstream/token-cipher.ts";
import type { TokenProver } from "../upstream/tokens.ts";
import { NodeMessage } from "./messages.ts";

export interface RevocationDeps {
  readonly prover: Pick<TokenProver, "reject" | "onRejected" | "doubt" | "onDoubted">;
  readonly node: NodeMessages;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly log: Log;
}

/** Most tokens that one node reports in a window. More are guesses, and tokens expire by themselves. */
const MOST_PER_WINDOW = 500;
const WINDOW_MS = 10_000;

/** Share revoked tokens between nodes (AUTH-4). Return a function to stop. */
export function shareRevocations({ prover, node, cipher, clock, log }: RevocationDeps): () => void {
  const rate = createRateLimit(clock, WINDOW_MS);
  /** True while a message of another node is applied, which is not sent on. */
  let isApplying = false;

  const share = (message: object): void => {
    if (isApplying || rate.refuses("recheck", MOST_PER_WINDOW) !== null) return;
    node
      .sendToOthers(message)
      .catch((error: unknown) =>
        log.debug(
          { event: "token-revocation-not-sent", err: error },
          "cannot send token revocation to other nodes",
        ),
      );
  };
  const apply = (act: () => void): void => {
    isApplying = true;
    try {
      act();
    } finally {
      isApplying = false;
    }
  };
  const stops = [
    prover.onRejected((token) => share({ kind: "rejected", token: cipher.encrypt(token) })),
    prover.onDoubted((accountId) => share({ kind: "doubted", accountId })),
    node.onMessage((message) => {
      const parsed = parse(NodeMessage, message);
      if (!parsed.ok) return;
      if (parsed.value.kind === "doubted") {
        const { accountId } = parsed.value;
        apply(() => prover.doubt(accountId));
      } else if (parsed.value.kind === "rejected") {
        const token = cipher.open(parsed.value.token);
        if (token !== null) apply(() => prover.reject(token));
      }
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
