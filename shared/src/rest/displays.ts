import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

/** Letters of a pairing code: no vowels, so that no word comes of it, and none that is read as a digit. */
export const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
export const CODE_LENGTH = 8;
/** How long a code may be approved, s. */
export const CODE_LIFE_SECONDS = 600;
/** How often a screen asks whether it was approved, s (RFC 8628 §3.5). */
export const PAIRING_INTERVAL_SECONDS = 5;

/** How a display's token begins, so that it is told from the farm API's. */
export const DISPLAY_TOKEN_PREFIX = "mkd_";

/** What a wall may show, in the order in which it turns. */
export const DISPLAY_PAGES = ["overview", "valves", "map", "trends", "alarms", "fleet"] as const;
export const DisplayPage = Type.Enum([...DISPLAY_PAGES]);
export type DisplayPage = (typeof DISPLAY_PAGES)[number];

export const MAX_DISPLAY_NAME = 60;
export const MAX_DISPLAY_FARMS = 200;
export const MAX_DISPLAY_TILES = 60;

/** What is chosen for a screen; an administrator alone may choose `fleet`. */
export const DisplaySettings = Type.Object({
  name: Type.String({ minLength: 1, maxLength: MAX_DISPLAY_NAME }),
  /** Null: all farms of the account, and what belongs to none. */
  farms: Nullable(Type.Array(Id, { minItems: 1, maxItems: MAX_DISPLAY_FARMS })),
  pages: Type.Array(DisplayPage, { minItems: 1, maxItems: DISPLAY_PAGES.length }),
  /** Sensors of the overview in this order; null: filled by itself, the worst first. */
  tiles: Nullable(Type.Array(Id, { minItems: 1, maxItems: MAX_DISPLAY_TILES })),
  /** How long a page stands, s. */
  turnSeconds: Type.Integer({ minimum: 10, maximum: 600 }),
  /** Diagonal of the screen, inches. */
  diagonalInches: Type.Number({ minimum: 7, maximum: 150 }),
  /** From where it is read, metres. */
  distanceMetres: Type.Number({ minimum: 0.5, maximum: 20 }),
  language: Type.Union([Type.Literal("ko"), Type.Literal("en"), Type.Literal("zh")]),
  colorMode: Type.Union([Type.Literal("dark"), Type.Literal("light")]),
  /** Hours of the account's zone, `HH:mm`, in which the screen is dimmed; null: never. */
  night: Nullable(
    Type.Object({
      from: Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" }),
      to: Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" }),
    }),
  ),
  /** A P1 that is not acknowledged makes a sound. */
  sound: Type.Boolean(),
  /** `ack`: may acknowledge alarms, and nothing else (ALM-7). */
  scope: Type.Union([Type.Literal("read"), Type.Literal("ack")]),
});
export type DisplaySettings = Static<typeof DisplaySettings>;

/** A paired screen, as those who paired it see it. */
export const Display = Type.Object({
  id: Type.String(),
  /** Whose farm it shows, and what that account is called. */
  account: Id,
  username: Nullable(Type.String()),
  settings: DisplaySettings,
  createdAt: Instant,
  /** When it last had a socket or asked for anything; null: not yet. */
  lastSeenAt: Nullable(Instant),
  /** True while it holds a socket at any node. */
  connected: Type.Boolean(),
});
export type Display = Static<typeof Display>;

export const DisplayList = Type.Object({ displays: Type.Array(Display) });

/** Answer of `POST /relay/displays/codes` (public, limited by address): what an unpaired screen shows. */
export const PairingCode = Type.Object({
  /** Eight of `CODE_LETTERS`. */
  code: Type.String(),
  /** What the screen proves itself with when it asks for its token; never shown. */
  deviceCode: Type.String(),
  expiresInSeconds: Type.Integer(),
  intervalSeconds: Type.Integer(),
  /** Where a signed-in user approves it, within the product: `/displays?code=…`. */
  approvePath: Type.String(),
  /** The same under the installation's public address (`PUBLIC_URL`); absent or null where none is configured. */
  approveUrl: Type.Optional(Nullable(Type.String())),
});
export type PairingCode = Static<typeof PairingCode>;

/** Body of `POST /relay/displays/token` (public). */
export const PairingProof = Type.Object({ deviceCode: Type.String({ minLength: 16, maxLength: 128 }) });

/**
 * Its answer, 200: `pending` and `slowDown` ask to come again (the latter 5 s later than before), `expired` asks for a
 * new code, `approved` gives the token once.
 */
export const PairingAnswer = Type.Union([
  Type.Object({ state: Type.Literal("pending") }),
  Type.Object({ state: Type.Literal("slowDown") }),
  Type.Object({ state: Type.Literal("expired") }),
  Type.Object({ state: Type.Literal("approved"), token: Type.String(), display: Display }),
]);
export type PairingAnswer = Static<typeof PairingAnswer>;

/** Answer of `GET /relay/displays/codes/{code}` (bearer): what is about to be approved. */
export const PendingCode = Type.Object({
  code: Type.String(),
  expiresAt: Instant,
  /** What the screen says of itself (its `User-Agent`), shortened; and the address that it asked from. */
  agent: Type.String(),
  address: Type.String(),
});
export type PendingCode = Static<typeof PendingCode>;

/** Body of `POST /relay/displays` (bearer): approves a code. Answers with the `Display`, 201. */
export const ApprovedCode = Type.Object({
  code: Type.String({ minLength: CODE_LENGTH, maxLength: CODE_LENGTH + 2 }),
  settings: DisplaySettings,
});

/** Body of `PUT /relay/displays/{id}` (bearer): all settings anew. */
export const ChangedDisplay = Type.Object({ settings: DisplaySettings });

/** Answer of `GET /relay/display` with a display's own token: what it is to show. */
export const OwnDisplay = Type.Object({ display: Display, zone: Type.String() });
export type OwnDisplay = Static<typeof OwnDisplay>;
