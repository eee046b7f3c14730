import type { Static, TSchema } from "typebox";
import { ApiError, NoAnswerError } from "./errors.ts";
import { type Call, type Fetch, performCall } from "./http.ts";

/** What the client needs of the session. */
export interface TokenSource {
  accessToken(): string | null;
  /** A newer token than `used`; null when the sign-in is over. Rejects when nobody can be asked. */
  refresh(used: string): Promise<string | null>;
}

/** Calls in the name of the person who is signed in. */
export interface RestClient {
  /** Errors as {@link performCall}; a 401 was mended by one refresh and one repeat where that was possible. */
  call<S extends TSchema>(call: Call<S>): Promise<Static<S>>;
}

export function createRestClient(tokens: TokenSource, fetcher: Fetch): RestClient {
  return {
    async call(call) {
      const token = tokens.accessToken();
      try {
        return await performCall(fetcher, call, token);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401 || token === null) throw error;
        const fresh = await tokens.refresh(token);
        if (fresh === null) throw error;
        return await performCall(fetcher, call, fresh);
      }
    },
  };
}

/** The same calls; `onNoAnswer` runs for each that nothing answered, before its error is passed on. */
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
