import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { disablesAccount, accountNamedIn as named, PARSED_BYTES } from "./named-in-body.ts";
import { createWholeBodies } from "./whole-body.ts";

const accountNamedIn = (contentType: string | undefined, text: string) => named({ contentType, text });

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

test("[proxy] a body is passed on whole, and its parsed part has a limit", async () => {
  const pieces = Array.from({ length: 10 }, (_, n) => Buffer.alloc(10_000, n));
  const { whole, head } = await createWholeBodies().read(Readable.from(pieces), 1_000_000);
  const passed: Buffer[] = [];
  for await (const chunk of whole) passed.push(chunk);
  expect(Buffer.concat(passed)).toEqual(Buffer.concat(pieces));
  expect(Buffer.byteLength(head)).toBe(PARSED_BYTES);
});

test("[CMD-15] a change that disables an account is found in every kind of body, and no other", () => {
  const says = (contentType: string, text: string) => disablesAccount({ contentType, text });
  expect(says("application/json", '{"disabled":true}')).toBe(true);
  expect(says("application/json", '{"disabled":1}')).toBe(true);
  expect(says(FORM, "nickname=x&disabled=true")).toBe(true);
  expect(says("application/json", '{"disabled":false}')).toBe(false);
  expect(says("application/json", '{"nickname":"disabled"}')).toBe(false);
  expect(says(FORM, "nickname=disabled")).toBe(false);
});
