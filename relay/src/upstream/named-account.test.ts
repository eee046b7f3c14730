import { expect, test } from "vitest";
import { accountNamedIn, createBodyMemory } from "./write-effects.ts";

const FORM = "application/x-www-form-urlencoded";

test("[POLL-8] the owner named by an administrator is found in every kind of body", () => {
  expect(accountNamedIn("application/json; charset=utf-8", '{"name":"x","userId":"u 1"}')).toBe("u 1");
  expect(accountNamedIn("application/json", '{"userId":7}')).toBe("7");
  expect(accountNamedIn(FORM, "name=x&userId=u%201")).toBe("u 1");
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = `${part("name", 'a name="userId"')}${part("userId", "u 1")}--b--\r\n`;
  expect(accountNamedIn("multipart/form-data; boundary=b", body)).toBe("u 1");
});

test("[POLL-8] a body without an owner, or without content, names no account", () => {
  for (const body of ["", "{", "null", '{"userId":null}', "[1]"]) {
    expect(accountNamedIn("application/json", body)).toBeNull();
  }
  expect(accountNamedIn(FORM, "userId=")).toBeNull();
  expect(accountNamedIn("multipart/form-data; boundary=b", 'name="userId"')).toBeNull();
  expect(accountNamedIn(undefined, "")).toBeNull();
});

test("[proxy] a body is passed on whole, and its remembered part has a limit", async () => {
  const memory = createBodyMemory();
  const passed: Buffer[] = [];
  memory.on("data", (chunk: Buffer) => passed.push(chunk));
  for (let n = 0; n < 10; n += 1) memory.write(Buffer.alloc(10_000, n));
  memory.end();
  await new Promise((resolve) => memory.once("end", resolve));
  expect(Buffer.concat(passed)).toHaveLength(100_000);
  expect(Buffer.byteLength(memory.text())).toBe(32 * 1024);
});
