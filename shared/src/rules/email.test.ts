import { expect, test } from "vitest";
import { isEmail } from "./email.ts";

test.each(["farmer@example.com", "a.b+c@mail.farm.kr", "농부@농장.한국", "x@a-b.co"])(
  "[account] %s is an e-mail address",
  (text) => expect(isEmail(text)).toBe(true),
);

test.each([
  "",
  "farmer",
  "farmer@",
  "@example.com",
  "farmer@localhost",
  "a b@example.com",
  "a@b@example.com",
  "a@example.com, b@example.com",
  "a@example.com\r\nBcc: b@example.com",
  "<a@example.com>",
  "a@-example.com",
  "a@example..com",
  `${"a".repeat(65)}@example.com`,
  `a@${"b".repeat(250)}.com`,
])("[account] %j is no e-mail address", (text) => expect(isEmail(text)).toBe(false));
