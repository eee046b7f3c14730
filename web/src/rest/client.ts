import { createCallWays } from "@mulkko/shared/rest/call-ways";
import type { Static, TSchema } from "typebox";
import { callInWay, refusalOf, wayOf } from "./call-in-way.ts";
import { ApiError, NoAnswerError } from "./errors.ts";
import { type Call, type Fetch, performCall } from "./http.ts";

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
   * A 401 is resolved by one refresh and one repeat if possible.
   */
  call<S extends TSchema>(call: Call<S>): Promise<Static<S>>;
}

export function createRestClient(tokens: TokenSource, fetcher: Fetch): RestClient {
  const ways = createCallWays();
  const perform = <S extends TSchema>(call: Call<S>, token: string | null): Promise<Static<S>> =>
    ways.send(wayOf(call), call.path, (way) => performCall(fetcher, callInWay(call, way), token), refusalOf);
  return {
    async call(call) {
      const token = tokens.accessToken();
      try {
        return await perform(call, token);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401 || token === null) throw error;
        const fresh = await tokens.refresh(token);
        if (fresh === null) throw error;
        return await perform(call, fresh);
      }
    },
  };
}

/** Wrap a client; `onNoAnswer` runs for each call without an answer, before its error is passed on. */
export const watchAnswers = (client: RestClient, onNoAnswer: () => void): RestClient => ({
  async call(call) {
    try {
      return await client.call(call);
    } catch (error) {
      if (error instanceof NoAnswerError) onNoAnswer();
      throw error;
    }
  },
});
