import { Id } from "@mulkko/shared/schema/id";
import { parseJson } from "@mulkko/shared/schema/parse";
import Type, { type Static, type TSchema } from "typebox";

/** Number of bytes of a body that are parsed; an administrator's write is far smaller. */
export const PARSED_BYTES = 32 * 1024;

const Owner = Type.Object({ userId: Id });

/** The beginning of a request's body, {@link PARSED_BYTES} at most, and its type. */
export interface BodyHead {
  readonly contentType: string | undefined;
  readonly text: string;
}

function inMultipart(field: string, text: string): string | null {
  const part = new RegExp(`name="${field}"\\r?\\n(?:[^\\r\\n]+\\r?\\n)*\\r?\\n([^\\r\\n]{1,128})\\r?\\n`);
  return part.exec(text)?.[1] ?? null;
}

function fieldIn<S extends TSchema>(
  { contentType, text }: BodyHead,
  field: string,
  schema: S,
  read: (value: Static<S>) => string,
): string | null {
  const type = contentType?.toLowerCase() ?? "";
  if (type.startsWith("application/json")) {
    const named = parseJson(schema, text);
    return named.ok ? read(named.value) : null;
  }
  if (type.startsWith("multipart/")) return inMultipart(field, text);
  return new URLSearchParams(text).get(field) || null;
}

/** Return the account that the body of an administrator's write names as a device's owner; null if none. */
export const accountNamedIn = (body: BodyHead): string | null =>
  fieldIn(body, "userId", Owner, ({ userId }) => String(userId));

const STAYS = /^(false|0|2|n|no|off|null|)$/i;

/** Return the values of the field `disabled` in a body; null for a body that cannot be read to its end. */
function disabledIn({ contentType, text }: BodyHead): readonly unknown[] | null {
  const isWhole = Buffer.byteLength(text) < PARSED_BYTES;
  if (text === "") return [];
  if (!isWhole) return null;
  const type = contentType?.toLowerCase() ?? "";
  if (type.startsWith("application/json")) {
    const body = parseJson(Type.Object({ disabled: Type.Optional(Type.Unknown()) }), text);
    // To the schema a list without the field is an object, too.
    if (!body.ok || Array.isArray(body.value)) return null;
    return body.value.disabled === undefined ? [] : [body.value.disabled];
  }
  if (type.startsWith("multipart/")) {
    const value = inMultipart("disabled", text);
    if (value !== null) return [value];
    return text.includes('"disabled"') ? null : [];
  }
  return type.startsWith("application/x-www-form-urlencoded")
    ? new URLSearchParams(text).getAll("disabled")
    : null;
}

/**
 * Return true unless a user's change certainly leaves the account enabled: a body that cannot be read may disable it.
 *
 * @param body null without one
 * @param query of the request, where some servers take fields from
 */
export function mayDisableAccount(body: BodyHead | null, query: URLSearchParams): boolean {
  const said = body === null ? [] : disabledIn(body);
  if (said === null) return true;
  return [...said, ...query.getAll("disabled")].some((value) => !STAYS.test(String(value).trim()));
}
