import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { refreshTokenOf, TokenPair } from "@mulkko/shared/rest/account";
import { ErrorBody } from "@mulkko/shared/rest/errors";
import type { ImportProgress } from "@mulkko/shared/rest/import";
import { accountLogin, accountLogout, tokenRefresh } from "@mulkko/shared/rest/operations/account";
import { importBegin, importCancel, importProgress } from "@mulkko/shared/rest/operations/admin";
import { callOf, type OperationCall } from "@mulkko/shared/rest/operations/operation";
import { parse } from "@mulkko/shared/schema/parse";
import type { Static, TSchema } from "typebox";

/** An error of the API or of the connection to it; the message is for the administrator. */
export class ClientError extends Error {
  override readonly name = "ClientError";
}

/** The farm API as the import command uses it. */
export interface ImportClient {
  signIn(username: string, password: string): Promise<void>;
  /** @param sent called for each sent part; `of` is the file's size, bytes. @returns the import's id */
  upload(path: string, mapping: string, sent: (bytes: number, of: number) => void): Promise<string>;
  progress(id: string): Promise<ImportProgress>;
  cancel(id: string): Promise<ImportProgress>;
  signOut(): Promise<void>;
}

async function sentenceOf(answer: Response): Promise<string> {
  const parsed = parse(ErrorBody, await answer.json().catch(() => null));
  return parsed.ok ? parsed.value.message : `the server answered ${answer.status}`;
}

async function read<S extends TSchema>(schema: S, answer: Response): Promise<Static<S>> {
  if (!answer.ok) throw new ClientError(`Refused (${answer.status}): ${await sentenceOf(answer)}`);
  const parsed = parse(schema, await answer.json().catch(() => null));
  if (!parsed.ok) throw new ClientError("The server's response is not that of a farm API.");
  return parsed.value;
}

/** @param url of the farm API, e.g. `http://localhost:8081` */
export function createImportClient(url: string): ImportClient {
  let tokens: TokenPair | null = null;

  const call = async (
    { method, path }: OperationCall,
    options: RequestInit & { duplex?: "half" } = {},
  ): Promise<Response> => {
    const headers = new Headers(options.headers);
    if (tokens) headers.set("authorization", `Bearer ${tokens.accessToken}`);
    try {
      return await fetch(new URL(path, url), { ...options, method, headers });
    } catch (error) {
      const why = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
      throw new ClientError(`${url} does not answer${why}.`);
    }
  };
  const refresh = async (): Promise<void> => {
    const token = tokens && refreshTokenOf(tokens);
    const headers = { refreshtoken: token ?? "" };
    tokens = await read(TokenPair, await call(callOf(tokenRefresh, {}), { headers }));
  };
  /** An import may take longer than a token is valid. */
  const callAgain = async (operation: OperationCall): Promise<Response> => {
    const answer = await call(operation);
    if (answer.status !== 401) return answer;
    await refresh();
    return call(operation);
  };

  return {
    async signIn(username, password) {
      const answer = await call(callOf(accountLogin, {}), {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password }),
      });
      tokens = await read(TokenPair, answer);
    },
    async upload(path, mapping, sent) {
      const { size } = await stat(path);
      const file = await openAsBlob(path, { type: "text/csv" });
      const form = new FormData();
      // The mapping first, so that an invalid one is refused at once.
      form.append("mapping", new Blob([mapping], { type: "application/json" }), "mapping.json");
      form.append("file", file, basename(path));
      const encoded = new Response(form);
      let bytes = 0;
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk);
          bytes += chunk.length;
          sent(Math.min(bytes, size), size);
        },
      });
      const answer = await call(callOf(importBegin, {}), {
        headers: { "content-type": encoded.headers.get("content-type") ?? "" },
        body: encoded.body?.pipeThrough(counted) ?? null,
        duplex: "half",
      });
      return (await read(importBegin.answer, answer)).id;
    },
    progress: async (id) => read(importProgress.answer, await callAgain(callOf(importProgress, { id }))),
    cancel: async (id) => read(importCancel.answer, await callAgain(callOf(importCancel, { id }))),
    async signOut() {
      await call(callOf(accountLogout, {}));
    },
  };
}
