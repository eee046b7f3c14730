import { CommandTimeBody } from "@mulkko/shared/rest/command";
import { LONGEST_RUN_SECONDS, type ValveTarget } from "@mulkko/shared/rules/valve";
import { parse } from "@mulkko/shared/schema/parse";
import { invalidField, RelayError } from "../http/relay-error.ts";
import type { CommandRequest } from "./commands.ts";

/** The part of a command in its body. */
export type CommandInput = Pick<
  CommandRequest,
  "controllerId" | "number" | "command" | "payload" | "target" | "maxRunSeconds"
> & {
  /** Earliest press time that the sender claims, ms UTC; null: none. */
  readonly claimedAt: number | null;
};

const ID = /^[\w-]{1,64}$/;

const NUMBERS = new Set(["maxRunSeconds", "pressedWithinMs"]);

/** Convert numeric text to numbers, because all fields of a form are text. */
function numbered(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const fields = Object.entries(body).map(([name, value]: [string, unknown]) => {
    const isText = NUMBERS.has(name) && typeof value === "string" && /^\d{1,9}$/.test(value);
    return [name, isText ? Number(value) : value];
  });
  return Object.fromEntries(fields);
}

/**
 * Parse the body of either `cmd` call.
 *
 * @throws RelayError 422 `validation` with the field, or `run-too-long`
 */
export function commandInputOf(body: unknown): CommandInput {
  const numbers = numbered(body);
  if (typeof numbers === "object" && numbers !== null && "maxRunSeconds" in numbers) {
    if (typeof numbers.maxRunSeconds === "number" && numbers.maxRunSeconds > LONGEST_RUN_SECONDS) {
      throw new RelayError(422, "run-too-long", `a run may last at most ${LONGEST_RUN_SECONDS} seconds`);
    }
  }
  const parsed = parse(CommandTimeBody, numbers);
  if (!parsed.ok) throw invalidField(parsed.path.slice(1).split("/")[0] || "body", parsed.message);
  const { uuid, command, channel, payload, maxRunSeconds, pressedAt, pressedWithinMs = 0 } = parsed.value;
  return {
    controllerId: String(uuid),
    number: Number(channel),
    command,
    payload,
    target: command === "onoff" ? targetOf(payload) : null,
    ...(maxRunSeconds !== undefined && { maxRunSeconds }),
    claimedAt: pressedAt === undefined ? null : Date.parse(pressedAt) - pressedWithinMs,
  };
}

function targetOf(payload: number | string): ValveTarget {
  const code = Number(payload);
  if (code !== 1 && code !== 2) throw invalidField("payload", "must be 1 (on) or 2 (off)");
  return code;
}

/**
 * Return the command's id: the client's own, or a new one (CMD-7).
 *
 * @throws RelayError 400 unless the header is one id of at most 64 letters, digits, _ and -
 */
export function commandIdOf(header: string | string[] | undefined, newId: () => string): string {
  if (header === undefined) return newId();
  if (typeof header !== "string" || !ID.test(header)) {
    throw new RelayError(400, "malformed", "Idempotency-Key must be 1 to 64 letters, digits, _ or -");
  }
  return header;
}
