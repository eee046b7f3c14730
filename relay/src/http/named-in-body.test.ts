import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { mayDisableAccount, accountNamedIn as named, PARSED_BYTES } from "./named-in-body.ts";
import { readWhole } from "./whole-body.ts";

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
  const { whole, head } = await readWhole(Readable.from(pieces), 1_000_000);
  const passed: Buffer[] = [];
  for await (const chunk of whole) passed.push(chunk);
  expect(Buffer.concat(passed)).toEqual(Buffer.concat(pieces));
  expect(Buffer.byteLength(head)).toBe(PARSED_BYTES);
});

describe("[CMD-15] a change of an account", () => {
  const may = (contentType: string | undefined, text: string, query = "") =>
    mayDisableAccount({ contentType, text }, new URLSearchParams(query));
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

  test("[CMD-15] may disable it if it says so, in every kind of body and in the query", () => {
    for (const value of ["true", "1", "Y", "yes", "on", "TRUE", "disabled"]) {
      expect(may("application/json", JSON.stringify({ disabled: value }))).toBe(true);
      expect(may(FORM, `nickname=x&disabled=${value}`)).toBe(true);
      expect(may(FORM, `disabled=false&disabled=${value}`)).toBe(true);
      expect(may("multipart/form-data; boundary=b", `${part("disabled", value)}--b--`)).toBe(true);
      expect(may("application/json", '{"nickname":"x"}', `disabled=${value}`)).toBe(true);
      expect(mayDisableAccount(null, new URLSearchParams({ disabled: value }))).toBe(true);
    }
    for (const body of ['{"disabled":true}', '{"disabled":1}', '{"disabled":[true]}', '{"disabled":{}}'])
      expect(may("application/json", body)).toBe(true);
  });

  test("[CMD-15] may disable it if it cannot be read to its end", () => {
    expect(may("application/json", `{"a":"${"x".repeat(PARSED_BYTES)}`)).toBe(true);
    expect(may("application/json", "{disabled:true")).toBe(true);
    expect(may("application/json", "[]")).toBe(true);
    expect(may("text/plain", '{"disabled":true}')).toBe(true);
    expect(may(undefined, "disabled=true")).toBe(true);
    expect(may("multipart/form-data; boundary=b", 'name="disabled"')).toBe(true);
  });

  test("[CMD-15] does not disable it if it says so, or nothing", () => {
    for (const value of ["false", "0", "no", "off", ""]) {
      expect(may("application/json", JSON.stringify({ disabled: value }))).toBe(false);
      expect(may(FORM, `disabled=${value}`, `disabled=${value}`)).toBe(false);
    }
    expect(may("application/json", '{"disabled":null}')).toBe(false);
    expect(may("application/json", '{"nickname":"disabled"}')).toBe(false);
    expect(may(FORM, "nickname=disabled")).toBe(false);
    expect(may("multipart/form-data; boundary=b", `${part("nickname", "x")}--b--`)).toBe(false);
    expect(may(undefined, "")).toBe(false);
    expect(mayDisableAccount(null, new URLSearchParams())).toBe(false);
  });
});
