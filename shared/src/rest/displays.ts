import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

/** Letters of a pairing code: no vowels, so that it forms no word, and no letter that looks like a digit. */
export const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
export const CODE_LENGTH = 8;
/** Lifetime of a pairing code, s. */
export const CODE_LIFE_SECONDS = 600;
/** Interval at which a screen asks for its approval, s (RFC 8628 §3.5). */
export const PAIRING_INTERVAL_SECONDS = 5;

/** Prefix of a display's token, which distinguishes it from the farm API's. */
export const DISPLAY_TOKEN_PREFIX = "mkd_";

/** Pages of a wall, in the order of its rotation. */
export const DISPLAY_PAGES = ["overview", "valves", "map", "trends", "alarms", "fleet"] as const;
export const DisplayPage = Type.Enum([...DISPLAY_PAGES]);
export type DisplayPage = (typeof DISPLAY_PAGES)[number];

export const MAX_DISPLAY_NAME = 60;
export const MAX_DISPLAY_FARMS = 200;
export const MAX_DISPLAY_TILES = 60;

/** Settings of a screen; only an administrator may choose `fleet`. */
export const DisplaySettings = Type.Object({
  name: Type.String({ minLength: 1, maxLength: MAX_DISPLAY_NAME }),
  /** Null: all farms of the account, and devices without a farm. */
  farms: Nullable(Type.Array(Id, { minItems: 1, maxItems: MAX_DISPLAY_FARMS })),
  pages: Type.Array(DisplayPage, { minItems: 1, maxItems: DISPLAY_PAGES.length }),
  /** Sensors of the overview in this order; null: automatic, the worst first. */
  tiles: Nullable(Type.Array(Id, { minItems: 1, maxItems: MAX_DISPLAY_TILES })),
  /** Time for which a page is shown, s. */
  turnSeconds: Type.Integer({ minimum: 10, maximum: 600 }),
  /** Diagonal of the screen, inches. */
  diagonalInches: Type.Number({ minimum: 7, maximum: 150 }),
  /** Viewing distance, metres. */
  distanceMetres: Type.Number({ minimum: 0.5, maximum: 20 }),
  language: Type.Union([Type.Literal("ko"), Type.Literal("en"), Type.Literal("zh")]),
  colorMode: Type.Union([Type.Literal("dark"), Type.Literal("light")]),
  /** Hours in the account's zone, `HH:mm`, in which the screen is dimmed; null: never. */
  night: Nullable(
    Type.Object({
      from: Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" }),
      to: Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" }),
    }),
  ),
  /** True if an unacknowledged P1 makes a sound. */
  sound: Type.Boolean(),
  /** `ack`: may acknowledge alarms, and nothing else (ALM-7). */
  scope: Type.Union([Type.Literal("read"), Type.Literal("ack")]),
});
export type DisplaySettings = Static<typeof DisplaySettings>;

/** A paired screen, as listed to the users who may change it. */
export const Display = Type.Object({
  id: Type.String(),
  /** The account whose farm it shows, and the account's name. */
  account: Id,
  username: Nullable(Type.String()),
  settings: DisplaySettings,
  createdAt: Instant,
  /** Time of its last connection or request; null: none yet. */
  lastSeenAt: Nullable(Instant),
  /** True while it is connected at any node. */
  connected: Type.Boolean(),
});
export type Display = Static<typeof Display>;

export const DisplayList = Type.Object({ displays: Type.Array(Display) });

/** Answer of `POST /relay/displays/codes` (public, limited by address): the code on an unpaired screen. */
export const PairingCode = Type.Object({
  /** Eight of `CODE_LETTERS`. */
  code: Type.String(),
  /** Secret with which the screen asks for its token; never shown. */
  deviceCode: Type.String(),
  expiresInSeconds: Type.Integer(),
  intervalSeconds: Type.Integer(),
  /** Page on which a signed-in user approves it, within the product: `/displays?code=…`. */
  approvePath: Type.String(),
  /** The same under the installation's public address (`PUBLIC_URL`); absent or null where none is configured. */
  approveUrl: Type.Optional(Nullable(Type.String())),
});
export type PairingCode = Static<typeof PairingCode>;

/** Body of `POST /relay/displays/token` (public). */
export const PairingProof = Type.Object({ deviceCode: Type.String({ minLength: 16, maxLength: 128 }) });

/**
 * Answer of that call, 200. `pending` and `slowDown` ask the screen to come again (the latter 5 s later than
 * before), `expired` asks for a new code, `approved` gives the token once.
 */
export const PairingAnswer = Type.Union([
  Type.Object({ state: Type.Literal("pending") }),
  Type.Object({ state: Type.Literal("slowDown") }),
  Type.Object({ state: Type.Literal("expired") }),
  Type.Object({ state: Type.Literal("approved"), token: Type.String(), display: Display }),
]);
export type PairingAnswer = Static<typeof PairingAnswer>;

/** Answer of `GET /relay/displays/codes/{code}` (bearer): the screen to be approved. */
export const PendingCode = Type.Object({
  code: Type.String(),
  expiresAt: Instant,
  /** The screen's `User-Agent`, shortened, and the address of its request. */
  agent: Type.String(),
  address: Type.String(),
});
export type PendingCode = Static<typeof PendingCode>;

/** Body of `POST /relay/displays` (bearer): approve a code. Answers with the `Display`, 201. */
export const ApprovedCode = Type.Object({
  code: Type.String({ minLength: CODE_LENGTH, maxLength: CODE_LENGTH + 2 }),
  settings: DisplaySettings,
});

/** Body of `PUT /relay/displays/{id}` (bearer): all settings, replaced. */
export const ChangedDisplay = Type.Object({ settings: DisplaySettings });

/** Answer of `GET /relay/display` with a display's own token: its settings. */
export const OwnDisplay = Type.Object({ display: Display, zone: Type.String() });
export type OwnDisplay = Static<typeof OwnDisplay>;
