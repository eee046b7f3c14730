import { OutChanged } from "@mulkko/shared/mqtt/out-messages";
import { parseJson } from "@mulkko/shared/schema/parse";
import type { HeardMessage } from "../owner/owner.ts";
import type { TokenProver } from "../ports/tokens.ts";
import type { WatchDesk } from "../ports/watch.ts";
import type { Displays } from "./displays.ts";

const text = new TextDecoder();

/**
 * Ask again about an account that the farm API says was changed, through this relay or not (AUTH-4): its sessions may have
 * ended, it may be suspended. Another password ends its displays.
 */
export function endStale(
  { topic, payload }: HeardMessage,
  parts: {
    readonly prover: Pick<TokenProver, "doubt">;
    readonly displays: Pick<Displays, "revokeOf">;
    readonly watch: Pick<WatchDesk, "wish">;
    readonly onError: (error: unknown) => void;
  },
): void {
  if (topic.kind !== "changed") return;
  const changed = parseJson(OutChanged, text.decode(payload));
  if (!changed.ok) return;
  const { entity } = changed.value;
  if (entity !== "account" && entity !== "password") return;
  parts.prover.doubt(topic.userId);
  if (entity === "account") return;
  parts.displays.revokeOf(topic.userId);
  parts.watch.wish(topic.userId, "password-changed").catch(parts.onError);
}
