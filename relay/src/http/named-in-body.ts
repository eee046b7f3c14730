import { Id } from "@mulkko/shared/schema/id";
import { parseJson } from "@mulkko/shared/schema/parse";
import Type, { type Static, type TSchema } from "typebox";

/** Number of bytes of a body that are parsed; an administrator's write is far smaller. */
export const PARSED_BYTES = 32 * 1024;

const Owner = Type.Object({ userId: Id });
const Disabled = Type.Object({ disabled: Type.Union([Type.Boolean(), Type.Integer(), Type.String()]) });

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

/** True if the body of a user's change disables the account. */
export function disablesAccount(body: BodyHead): boolean {
  const disabled = fieldIn(body, "disabled", Disabled, (value) => String(value.disabled));
  return disabled !== null && /^(true|1|y|yes|on)$/i.test(disabled.trim());
}
