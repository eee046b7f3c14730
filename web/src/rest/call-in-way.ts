import { type CallWay, formOf, type WayRefusal } from "@mulkko/shared/rest/call-ways";
import type { TSchema } from "typebox";
import { ApiError } from "./errors.ts";
import type { Call } from "./http.ts";

/** Return the default way to send a call; only a record of fields can be written as a form. */
export function wayOf({ method, body, form }: Call<TSchema>): CallWay {
  const isFields = typeof body === "object" && body !== null && !Array.isArray(body);
  return { method, body: form !== undefined ? "form" : isFields ? "json" : null };
}

/** Return the same call, sent in another way. */
export function callInWay<S extends TSchema>(call: Call<S>, way: CallWay): Call<S> {
  const method = way.method === "PUT" || way.method === "POST" ? way.method : call.method;
  const { body, form, ...rest } = call;
  if (way.body === "json" && form !== undefined) return { ...rest, method, body: form };
  if (way.body === "form" && typeof body === "object" && body !== null) {
    return { ...rest, method, form: Object.fromEntries(formOf(body)) };
  }
  return { ...call, method };
}

/** Return what an error reveals about the way in which a call was sent. */
export const refusalOf = (error: unknown): WayRefusal | null => (error instanceof ApiError ? error : null);
