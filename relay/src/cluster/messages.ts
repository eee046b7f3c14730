import { ActivityHistory, MAX_BEAT_IDS } from "@mulkko/shared/rest/fleet";
import { WatchState } from "@mulkko/shared/rest/watch";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";
import { DisplaysChanged } from "../displays/display-registry.ts";
import { FleetBatch, FleetVerdict } from "../fleet/reports.ts";
import type { OwnerCalls } from "../runtime/owner-call.ts";

/**
 * Messages between nodes about an account (NODE-5). Tokens are encrypted. Nodes of two versions communicate
 * during a rolling deploy (NODE-6): fields are only ever added, and an unknown kind is ignored.
 */
const Encrypted = Type.String({ maxLength: 16_384 });

const InterestWork = Type.Object({
  kind: Type.Literal("interest"),
  node: Type.String(),
  count: Type.Integer({ minimum: 0 }),
  /** Left out by a relay that treats every viewer as active. */
  active: Type.Optional(Type.Boolean()),
  /** Null: everything. */
  keys: Nullable(Type.Array(Type.String(), { maxItems: 2_000 })),
  tokens: Type.Array(Encrypted, { maxItems: 16 }),
});

const ChangedWork = Type.Object({ kind: Type.Literal("touched"), path: Type.String() });

/** Interest of a node's viewers in the fleet. */
const FleetInterestWork = Type.Object({
  kind: Type.Literal("fleet-interest"),
  node: Type.String(),
  count: Type.Integer({ minimum: 0 }),
  /** As for an account. */
  active: Type.Optional(Type.Boolean()),
  tokens: Type.Array(Encrypted, { maxItems: 16 }),
});

/** A write by an administrator. */
const FleetChangedWork = Type.Object({ kind: Type.Literal("fleet-touched") });

const Done = Type.Literal(true);
/** ms that the read of an account or the fleet may take, including a takeover of its shard. */
const LOAD_WITHIN_MS = 15_000;
/** ms within which the owner has to answer about its watching, including a takeover of its shard. */
const WATCH_WITHIN_MS = 10_000;
/** ms within which the fleet's owner has to answer a batch. */
const BATCH_WITHIN_MS = 4_000;

/** Calls to an account's owner that are about the account itself. */
export const ACCOUNT_CALLS = {
  /** Read the account, if it is not read yet; a viewer's token may be used for it. */
  load: {
    wire: "load",
    request: Type.Object({ token: Type.Optional(Encrypted) }),
    reply: Done,
    withinMs: LOAD_WITHIN_MS,
    secret: ["token"],
  },
  /** Keep a session that the relay has created for the account: its tokens as they are stored, encrypted. */
  signedIn: {
    wire: "signed-in",
    request: Type.Object({ session: Encrypted }),
    reply: Done,
    withinMs: WATCH_WITHIN_MS,
  },
  watch: {
    wire: "watch",
    request: Type.Object({
      wish: Type.Union([
        Type.Literal("state"),
        Type.Literal("stop"),
        Type.Literal("start"),
        Type.Literal("password-changed"),
      ]),
    }),
    reply: WatchState,
    withinMs: WATCH_WITHIN_MS,
  },
  /** Return a token of the account's own session. */
  ownToken: {
    wire: "own-token",
    request: Type.Object({}),
    reply: Encrypted,
    withinMs: LOAD_WITHIN_MS,
    secretReply: true,
  },
} as const satisfies OwnerCalls;

/** Calls to the fleet's owner. */
export const FLEET_CALLS = {
  /** Read the fleet, if it is not read yet, with an administrator's token. */
  load: {
    wire: "fleet-load",
    request: Type.Object({ token: Encrypted }),
    reply: Done,
    withinMs: LOAD_WITHIN_MS,
    secret: ["token"],
  },
  /** Take the reports of one node's accounts about their devices. */
  handleBatch: {
    wire: "fleet-tell",
    request: Type.Object({ batch: FleetBatch }),
    reply: FleetVerdict,
    withinMs: BATCH_WITHIN_MS,
  },
  beats: {
    wire: "fleet-beats",
    request: Type.Object({ token: Encrypted, ids: Type.Array(Type.String(), { maxItems: MAX_BEAT_IDS }) }),
    reply: ActivityHistory,
    withinMs: LOAD_WITHIN_MS,
    secret: ["token"],
  },
} as const satisfies OwnerCalls;

const CallWork = Type.Object({
  kind: Type.Literal("call"),
  id: Type.String(),
  /** The node that waits for the answer. */
  node: Type.String(),
  /** The name of one of the calls, and its request, which is parsed by that call's schema. */
  call: Type.Object({ do: Type.String() }),
});
export type SentCall = Static<typeof CallWork>["call"];

/** Work for an account's owner that needs no answer. */
export const Notice = Type.Union([InterestWork, ChangedWork, FleetInterestWork, FleetChangedWork]);
export type Notice = Static<typeof Notice>;
/** Work for an account's owner. */
export const Work = Type.Union([...Notice.anyOf, CallWork]);
export type Work = Static<typeof Work>;

/** The failure of a call, from which the caller's error is created again. */
export const Failure = Type.Object({
  kind: Type.Union([
    Type.Literal("no-access"),
    Type.Literal("upstream-down"),
    Type.Literal("store-down"),
    Type.Literal("failed"),
  ]),
  message: Type.String(),
});
export type Failure = Static<typeof Failure>;

/** The answer to a call, sent to the waiting node. */
export const Answer = Type.Object({
  kind: Type.Literal("answer"),
  id: Type.String(),
  /** Checked by the schema of the call that it answers. */
  value: Type.Optional(Type.Unknown()),
  failure: Type.Optional(Failure),
});
export type Answer = Static<typeof Answer>;

/** AUTH-4: the farm API rejected the token; its sessions end on every node. */
const Rejected = Type.Object({ kind: Type.Literal("rejected"), token: Encrypted });

/** AUTH-4: tokens of the account may have been revoked; every node proves those of its sessions again. */
const Doubted = Type.Object({ kind: Type.Literal("doubted"), accountId: Type.String() });
/** A message from one node to another. */
export const NodeMessage = Type.Union([Answer, Rejected, Doubted, DisplaysChanged]);
