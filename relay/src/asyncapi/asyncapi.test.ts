import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ClientMessage } from "@mulkko/shared/live/client-messages";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import { parse, parseJson } from "@mulkko/shared/schema/parse";
import { Ajv } from "ajv";
import Fastify from "fastify";
import Type from "typebox";
import { describe, expect, it } from "vitest";
import { asyncApiPlugin } from "./asyncapi.ts";
import { CLIENT_MESSAGES, SERVER_MESSAGES } from "./messages.ts";

const require = createRequire(import.meta.url);
const Schema = Type.Object({ $schema: Type.String() });
const Document = Type.Object({
  asyncapi: Type.Literal("3.0.0"),
  components: Type.Object({
    messages: Type.Record(
      Type.String(),
      Type.Object({ payload: Type.Record(Type.String(), Type.Unknown()) }),
    ),
  }),
});
const Frames = Type.Array(Type.Object({ name: Type.String(), message: Type.Object({ t: Type.String() }) }));
const Conformance = Type.Object({ client: Frames, server: Frames });

/** Read a file and validate its content by a schema. */
function read<S extends Type.TSchema>(file: string, schema: S): Type.Static<S> {
  const parsed = parseJson(schema, readFileSync(file, "utf8"));
  if (!parsed.ok) throw new Error(`${file} ${parsed.path} ${parsed.message}`);
  return parsed.value;
}

async function served(): Promise<Type.Static<typeof Document>> {
  const server = Fastify();
  await server.register(asyncApiPlugin);
  const answer = await server.inject({ method: "GET", url: "/relay/asyncapi.json" });
  await server.close();
  const document = parse(Document, answer.json());
  if (!document.ok) throw new Error(`${document.path} ${document.message}`);
  return document.value;
}

const { anyOf: said } = ServerMessage;
const { anyOf: received } = ClientMessage;

describe("the AsyncAPI document", () => {
  it("[asyncapi] is valid by the AsyncAPI 3.0 schema", async () => {
    // The published schema has formats and keywords of JSON Schema drafts that need no validation here.
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const schema = read(require.resolve("@asyncapi/specs/schemas/3.0.0-without-$id.json"), Schema);
    const validate = ajv.compile(schema);
    const document = await served();
    expect(validate(document), ajv.errorsText(validate.errors)).toBe(true);
    expect(validate({ ...document, channels: { plain: { address: 7 } } })).toBe(false);
  });

  it("[asyncapi] describes every message of both directions, by its own schema", () => {
    expect(CLIENT_MESSAGES.map(({ payload }) => payload)).toEqual([...received]);
    expect(SERVER_MESSAGES.map(({ payload }) => payload)).toEqual([...said]);
    for (const { name, payload } of [...CLIENT_MESSAGES, ...SERVER_MESSAGES])
      expect(payload).toMatchObject({ properties: { t: { const: name } } });
  });

  it("[asyncapi] its payloads accept every frame of the conformance set in an independent validator", async () => {
    const { components } = await served();
    const ajv = new Ajv({ strict: false });
    const frames = read(require.resolve("@mulkko/shared/conformance/valid.json"), Conformance);
    for (const { name, message } of [...frames.client, ...frames.server]) {
      const described = components.messages[message.t];
      expect(described, name).toBeDefined();
      const validate = ajv.compile(described?.payload ?? false);
      expect(validate(message), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
      expect(validate({ ...message, t: "other" }), name).toBe(false);
    }
  });
});
