import { readFileSync } from "node:fs";
import { type TSchema, Type } from "typebox";
import { describe, expect, it } from "vitest";
import { ClientMessage } from "../src/live/client-messages.ts";
import { ServerMessage } from "../src/live/server-messages.ts";
import { parse, parseJson } from "../src/schema/parse.ts";

const Valid = Type.Array(Type.Object({ name: Type.String(), message: Type.Unknown() }));
const Invalid = Type.Array(Type.Object({ name: Type.String(), text: Type.String() }));

function read<S extends TSchema>(file: string, frames: S) {
  const schema = Type.Object({ client: frames, server: frames });
  const parsed = parseJson(schema, readFileSync(new URL(file, import.meta.url), "utf8"));
  if (!parsed.ok) throw new Error(`${file} ${parsed.path} ${parsed.message}`);
  return parsed.value;
}

const valid = read("valid.json", Valid);
const invalid = read("invalid.json", Invalid);

describe("conformance frames", () => {
  it.each(valid.client)("[conformance] $name is a message of the client", ({ message }) => {
    expect(parse(ClientMessage, message)).toEqual({ ok: true, value: message });
  });
  it.each(valid.server)("[conformance] $name is a message of the server", ({ message }) => {
    expect(parse(ServerMessage, message)).toEqual({ ok: true, value: message });
  });
  it.each(invalid.client)("[conformance] $name is not a message of the client", ({ text }) => {
    expect(parseJson(ClientMessage, text).ok).toBe(false);
  });
  it.each(invalid.server)("[conformance] $name is not a message of the server", ({ text }) => {
    expect(parseJson(ServerMessage, text).ok).toBe(false);
  });
});
