import { expect, test } from "vitest";
import { createSeal } from "./seal.ts";

const secret = "a-secret-of-the-relay-0123456789";

test("[CRED-1] what is sealed comes back whole, and shows nothing of itself", () => {
  const { seal, open } = createSeal(secret);
  const sealed = seal("토큰 token-of-kim");
  expect(open(sealed)).toBe("토큰 token-of-kim");
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("token");
  expect(seal("same")).not.toBe(seal("same"));
});

test("[CRED-1] another secret, a changed byte and a torn end open nothing", () => {
  const { seal, open } = createSeal(secret);
  const sealed = seal("token");
  expect(createSeal(`${secret}x`).open(sealed)).toBeNull();
  const bytes = Buffer.from(sealed, "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(open(changed.toString("base64url"))).toBeNull();
  }
  expect(open(sealed.slice(0, 10))).toBeNull();
  expect(open("")).toBeNull();
});
