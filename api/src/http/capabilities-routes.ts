import type { Capabilities, Extension } from "@mulkko/shared/rest/capabilities";
import { capabilityList } from "@mulkko/shared/rest/operations/account";
import fp from "fastify-plugin";
import { routeOf } from "./operation-route.ts";
import type { App } from "./server.ts";

const ALWAYS: readonly Extension[] = [
  "idempotent-cmd",
  "idempotent-create",
  "timed-run",
  "log-buckets",
  "latest-bulk",
  "sessions",
  "noti-read",
  "controller-image",
  "admin-clusters",
  "audit",
  "sign-ins",
  "backups",
  "versions",
  "trash",
  "free-serial",
  "devices",
  "mode-enable",
  "controller-farm",
  "admin-fleet",
  "fleet-presence",
  "drivers",
  "own-password",
  "dead-letters",
  "farm-description",
  "user-role",
  "admin-crops",
  "password-mail",
];
/** Extensions that need a key known to both sides. */
const WITH_RELAY_KEY: readonly Extension[] = [
  "relay-session",
  "relay-audit",
  "relay-storage",
  "relay-access",
  "relay-accounts",
];

/** List this API's extensions beyond the plain contract; needs no token. */
export const capabilityRoutes = fp<{ hasRelayKey: boolean; hasMailServer: boolean }>(
  async (app: App, { hasRelayKey, hasMailServer }) => {
    // The configuration of an external broker decides if the relay may subscribe there.
    const mayRead = app.broker.kind === "external" || hasRelayKey;
    const extensions: Extension[] = [
      ...ALWAYS,
      ...(hasRelayKey ? WITH_RELAY_KEY : []),
      ...(hasMailServer ? [] : (["mail-outbox"] as const)),
      ...(mayRead ? (["mqtt-out"] as const) : []),
    ];
    const answer: Capabilities = { extensions };
    app.route({
      ...routeOf(capabilityList, {
        tags: ["capabilities"],
        summary: "List the extensions offered beyond the plain contract",
      }),
      handler: () => answer,
    });
  },
  { name: "capabilities", dependencies: ["broker", "errors"] },
);
