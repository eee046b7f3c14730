import { Alarm } from "@mulkko/shared/live/alarm";
import { Actor, CommandState } from "@mulkko/shared/live/devices";
import { AdministratorClose } from "@mulkko/shared/live/events";
import { Watering } from "@mulkko/shared/live/watering";
import { CommandRecord, LoggedCommand } from "@mulkko/shared/rest/command";
import { ERROR_CODES } from "@mulkko/shared/rest/errors";
import { MAX_BEAT_IDS } from "@mulkko/shared/rest/fleet";
import {
  AccountSettings,
  AccountSettingsBody,
  ChannelSettingsBody,
  ControllerSettingsBody,
} from "@mulkko/shared/rest/settings";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";
import { DisplaysChanged } from "../displays/display-registry.ts";
import { FleetBatch } from "../fleet/reports.ts";

/**
 * Messages between nodes about an account (NODE-5). Tokens are encrypted. Nodes of two versions communicate
 * during a rolling deploy (NODE-6): fields are only ever added, and an unknown kind is ignored.
 */
export const Encrypted = Type.String({ maxLength: 16_384 });
const Target = Nullable(Type.Union([Type.Literal(1), Type.Literal(2)]));

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

const callerFields = {
  token: Encrypted,
  by: Actor,
  origin: Type.String(),
  traceId: Type.String(),
  answerWithinMs: Type.Number(),
};

const commandFields = {
  ...callerFields,
  commandId: Type.String(),
  controllerId: Type.String(),
  number: Type.Integer(),
  command: Type.String(),
  payload: Type.Union([Type.Number(), Type.String()]),
  target: Target,
  maxRunSeconds: Type.Optional(Type.Number()),
  pressedAt: Type.Optional(Type.Number()),
  callerGone: Type.Optional(Type.Literal(true)),
  tokenEndsAt: Type.Optional(Type.Number()),
  /** Ignored by a relay before CMD-21, which sends the close with the token alone. */
  administrator: Type.Optional(AdministratorClose),
  form: Type.Union([Type.Literal("controller"), Type.Literal("sensor")]),
};

export const CommandCall = Type.Object({ do: Type.Literal("command"), ...commandFields });

const WithdrawCall = Type.Object({ do: Type.Literal("withdraw"), ...commandFields });

export const CloseAllCall = Type.Object({
  do: Type.Literal("close-all"),
  ...callerFields,
  jobId: Type.String(),
  farmId: Nullable(Type.String()),
});

/** `to` is left out for "up to now". */
export const CommandsCall = Type.Object({
  do: Type.Literal("commands"),
  from: Type.Number(),
  to: Type.Optional(Type.Number()),
  channelId: Type.Optional(Type.String()),
  farmId: Type.Optional(Type.String()),
});

/** Read the account, if it is not read yet; a viewer's token may be used for it. */
export const LoadCall = Type.Object({ do: Type.Literal("load"), token: Type.Optional(Encrypted) });

export const WateringsCall = Type.Object({
  do: Type.Literal("waterings"),
  since: Type.Number(),
  /** The caller also reads `watchedSince`. */
  watchedSince: Type.Optional(Type.Literal(true)),
});

export const AlarmsCall = Type.Object({
  do: Type.Literal("alarms"),
  which: Type.Union([Type.Literal("present"), Type.Literal("past")]),
});

const alarm = { id: Type.String(), by: Actor };

export const AlarmCall = Type.Union([
  Type.Object({ do: Type.Literal("acknowledge"), ...alarm, comment: Nullable(Type.String()) }),
  Type.Object({ do: Type.Literal("snooze"), ...alarm, until: Type.Number(), reason: Type.String() }),
  Type.Object({ do: Type.Literal("unsnooze"), ...alarm }),
  Type.Object({ do: Type.Literal("close-in"), ...alarm, minutes: Type.Number() }),
]);

export const SettingsCall = Type.Union([
  Type.Object({ do: Type.Literal("read-settings") }),
  Type.Object({
    do: Type.Literal("change-settings"),
    change: Type.Union([
      Type.Object({ about: Type.Literal("account"), ...AccountSettingsBody.properties }),
      Type.Object({
        about: Type.Literal("controller"),
        id: Type.String(),
        ...ControllerSettingsBody.properties,
      }),
      Type.Object({ about: Type.Literal("channel"), id: Type.String(), ...ChannelSettingsBody.properties }),
    ]),
  }),
]);

/** An encrypted session that the relay has created for the account: its tokens as they are stored. */
export const SignedInCall = Type.Object({ do: Type.Literal("signed-in"), session: Encrypted });

export const WatchCall = Type.Object({
  do: Type.Literal("watch"),
  wish: Type.Union([
    Type.Literal("state"),
    Type.Literal("stop"),
    Type.Literal("start"),
    Type.Literal("password-changed"),
  ]),
});

/** Request a token of the account's own session; the answer is the encrypted token. */
const OwnTokenCall = Type.Object({ do: Type.Literal("own-token") });

/** Read the fleet, if it is not read yet, with an administrator's token. */
export const FleetLoadCall = Type.Object({ do: Type.Literal("fleet-load"), token: Encrypted });

/** Reports of one node's accounts about their devices. */
export const FleetTellCall = Type.Object({ do: Type.Literal("fleet-tell"), batch: FleetBatch });

export const FleetActivityCall = Type.Object({
  do: Type.Literal("fleet-beats"),
  token: Encrypted,
  ids: Type.Array(Type.String(), { maxItems: MAX_BEAT_IDS }),
});

export const Call = Type.Union([
  FleetLoadCall,
  FleetTellCall,
  FleetActivityCall,
  LoadCall,
  CommandCall,
  WithdrawCall,
  CloseAllCall,
  CommandsCall,
  WateringsCall,
  AlarmsCall,
  AlarmCall,
  SettingsCall,
  SignedInCall,
  WatchCall,
  OwnTokenCall,
]);
export type Call = Static<typeof Call>;

const CallWork = Type.Object({
  kind: Type.Literal("call"),
  id: Type.String(),
  /** The node that waits for the answer. */
  node: Type.String(),
  call: Call,
});

/** Work for an account's owner. */
export const Work = Type.Union([InterestWork, ChangedWork, FleetInterestWork, FleetChangedWork, CallWork]);
export type Work = Static<typeof Work>;

const Refused = Type.Object({
  ok: Type.Literal(false),
  status: Type.Union([
    Type.Literal(404),
    Type.Literal(409),
    Type.Literal(422),
    Type.Literal(429),
    Type.Literal(503),
  ]),
  code: Type.Enum([...ERROR_CODES]),
  message: Type.String(),
});

export const CommandReply = Type.Union([
  Type.Object({ ok: Type.Literal(true), record: CommandRecord }),
  Refused,
]);

export const CloseAllReply = Type.Union([
  Type.Object({
    ok: Type.Literal(true),
    jobId: Type.String(),
    channels: Type.Array(
      Type.Object({
        channelId: Type.String(),
        controllerId: Type.String(),
        number: Type.Integer(),
        commandId: Type.String(),
        state: CommandState,
        reason: Nullable(Type.String()),
        activeMode: Type.Union([
          Type.Literal("none"),
          Type.Literal("automatic"),
          Type.Literal("period"),
          Type.Literal("reservation"),
        ]),
      }),
    ),
  }),
  Refused,
]);

export const CommandsReply = Nullable(Type.Array(LoggedCommand));

const ChannelWaterings = Type.Array(Type.Object({ channelKey: Type.String(), watering: Watering }));

/** The array alone where the caller did not ask for `watchedSince`, or the owner is a relay that does not know it. */
export const WateringsReply = Type.Union([
  ChannelWaterings,
  Type.Object({ waterings: ChannelWaterings, watchedSince: Nullable(Type.Number()) }),
]);

export const AlarmsReply = Type.Array(Alarm);

export const AlarmReply = Type.Union([
  Type.Object({ ok: Type.Literal(true), alarm: Alarm }),
  Type.Object({
    ok: Type.Literal(false),
    why: Type.Union([
      Type.Literal("unknown"),
      Type.Literal("not-active"),
      Type.Literal("most-urgent"),
      Type.Literal("bad-end"),
      Type.Literal("nothing-open"),
    ]),
  }),
]);

export const SettingsReply = Type.Union([
  Type.Object({ ok: Type.Literal(true), settings: AccountSettings }),
  Type.Object({
    ok: Type.Literal(false),
    why: Type.Union([
      Type.Literal("unknown"),
      Type.Literal("above-cap"),
      Type.Literal("no-flow-meter"),
      Type.Literal("own-sensor"),
      Type.Literal("too-many"),
    ]),
  }),
]);

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
