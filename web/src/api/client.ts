import { type CallWay, CallWays, formOf, type WayRefusal } from "@mulkko/shared/rest/call-ways";
import type { Timers } from "@mulkko/shared/rules/clock";
import { type Static, type TSchema, type TUnknown, Type } from "typebox";
import { ApiError, NoAnswerError } from "./errors.ts";
import { type Call, type Fetch, performCall } from "./http.ts";

/** Return the default way to send a call; only a record of fields can be written as a form. */
function wayOf({ method, body, form }: Call<TSchema>): CallWay {
  const isFields = typeof body === "object" && body !== null && !Array.isArray(body);
  return { method, body: form !== undefined ? "form" : isFields ? "json" : null };
}

/** Return the same call, sent in another way. */
function callInWay<S extends TSchema>(call: Call<S>, way: CallWay): Call<S> {
  const { method } = way;
  const { body, form, ...rest } = call;
  if (way.body === "json" && form !== undefined) return { ...rest, method, body: form };
  if (way.body === "form" && typeof body === "object" && body !== null) {
    return { ...rest, method, form: Object.fromEntries(formOf(body)) };
  }
  return { ...call, method };
}

/** Return what an error reveals about the way in which a call was sent. */
export const refusalOf = (error: unknown): WayRefusal | null => (error instanceof ApiError ? error : null);

/** Source of access tokens for the client. */
export interface TokenSource {
  accessToken(): string | null;
  /** Return a newer token than `used`; null if the session is over. Rejects if the API is unreachable. */
  refresh(used: string): Promise<string | null>;
}

/** Calls in the name of the signed-in user. */
export interface RestClient {
  /**
   * Send a call; errors as {@link performCall}. A write is sent in the way that the farm API accepts (WAY-1).
   * A 401 is resolved by one refresh and one repeat if possible; a refusal of the refresh is none of the call, which
   * ends with its own 401 (CMD-8).
   */
  call<S extends TSchema>(call: Call<S>): Promise<Static<S>>;
}

export function createRestClient(tokens: TokenSource, fetcher: Fetch, timers?: Timers): RestClient {
  const ways = new CallWays();
  const perform = <S extends TSchema>(call: Call<S>, token: string | null): Promise<Static<S>> =>
    ways.send(
      wayOf(call),
      call.operation ?? null,
      (way) => performCall(fetcher, callInWay(call, way), token, timers),
      refusalOf,
    );
  return {
    async call(call) {
      const token = tokens.accessToken();
      try {
        return await perform(call, token);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401 || token === null) throw error;
        const fresh = await tokens.refresh(token).catch((cause: unknown) => {
          throw cause instanceof ApiError ? error : cause;
        });
        if (fresh === null) throw error;
        return await perform(call, fresh);
      }
    },
  };
}

/** An id of the farm API. */
export type Id = string | number;

/** Fetch a value. */
export const get = <S extends TSchema>(rest: RestClient, path: string, answer: S, signal: AbortSignal) =>
  rest.call({ method: "GET", path, answer, signal });

/** Send a call whose answer does not matter. */
export async function send(rest: RestClient, call: Omit<Call<TUnknown>, "answer">): Promise<void> {
  await rest.call({ ...call, answer: Type.Unknown() });
}

/** Watcher of the line that receives signs from the calls. */
export interface LineWatch {
  /** Note a call without an answer. */
  doubt(): void;
  /** Note that a call which changes something waits for its answer. @returns a function that ends it */
  hurry(): () => void;
}

/** Wrap a client, so that the live connection notices a line that does not pass (LIVE-1). */
export const watchAnswers = (client: RestClient, line: LineWatch): RestClient => ({
  async call(call) {
    const over = call.method === "GET" ? undefined : line.hurry();
    try {
      return await client.call(call);
    } catch (error) {
      if (error instanceof NoAnswerError) line.doubt();
      throw error;
    } finally {
      over?.();
    }
  },
});
