import { describe, expect, it } from "vitest";
import {
  devicesOf,
  NEW_USER,
  newUserFaults,
  registerBody,
  roleField,
  updateBody,
  userFaults,
  userOffer,
  userValuesOf,
} from "./user-values.ts";

const ZONE = "Asia/Seoul";
const plain = {
  id: "a",
  username: "farmer",
  nickname: "Kim",
  userAddress: "kim@example.com",
  farmAddress: "Nonsan",
  phone: "010",
  language: "ko",
  timezone: "Asia/Tokyo",
};
const bundled = { ...plain, userType: "ADMIN", disabled: false, emailNotification: true, deviceCount: 3 };
const whole = {
  ...NEW_USER,
  ...plain,
  language: "KO" as const,
  username: "farmer-nine",
  password: "sickle+8",
};

describe("account edited by an administrator", () => {
  it("[spec 1] defaults a new account to Korean and Seoul's time", () => {
    expect(NEW_USER).toMatchObject({ language: "KO", timezone: "Asia/Seoul" });
  });

  it("[spec 1] requires 5 to 16 letters, digits, underscores or hyphens in a username", () => {
    for (const username of ["abcd", "abcdefghijklmnopq", "with space", "한글이름요", "semi;colon"]) {
      expect(newUserFaults({ ...whole, username }), username).toEqual({ username: "username" });
    }
    for (const username of ["abcde", "A_b-9", "abcdefghijklmnop"]) {
      expect(newUserFaults({ ...whole, username }), username).toEqual({});
    }
  });

  it("[spec 1] requires 8 to 64 characters in a new account's password", () => {
    for (const password of ["", "1234567", "x".repeat(65)]) {
      expect(newUserFaults({ ...whole, password }), password).toEqual({ password: "password" });
    }
    for (const password of ["has spaces", "비밀번호여덟글자", "~!@#$%^&*()+_|<>"]) {
      expect(newUserFaults({ ...whole, password }), password).toEqual({});
    }
  });

  it("[admin] neither requires nor sends fields that an existing account never had", () => {
    const before = userValuesOf({ ...bundled, phone: "", farmAddress: null }, ZONE);
    const suspended = { ...before, disabled: true };
    expect(userFaults(suspended, before)).toEqual({});
    const body = updateBody(suspended, userOffer(bundled));
    expect(body).toMatchObject({ disabled: true, nickname: "Kim" });
    expect(body).not.toHaveProperty("phone");
    expect(body).not.toHaveProperty("farmAddress");
    expect(userFaults({ ...before, nickname: "" }, before)).toEqual({ nickname: "required" });
  });

  it("[spec 1] requires nickname, address, farm and phone of a new account", () => {
    const empty = { ...whole, nickname: " ", userAddress: "", farmAddress: "", phone: "" };
    expect(newUserFaults(empty)).toEqual({
      nickname: "required",
      userAddress: "required",
      farmAddress: "required",
      phone: "required",
    });
  });

  it("[admin] accepts an existing username that breaks the rules, but no other one", () => {
    const before = userValuesOf({ ...plain, username: "x" }, ZONE);
    expect(userFaults(before, before)).toEqual({});
    expect(userFaults({ ...before, username: "y" }, before)).toEqual({ username: "username" });
  });

  it("[admin] sends exactly seven fields to an API without extensions", () => {
    const values = userValuesOf(plain, ZONE);
    expect(updateBody(values, userOffer(plain))).toEqual({ ...plain, id: undefined, language: "KO" });
    expect(registerBody(whole)).toEqual({
      ...plain,
      id: undefined,
      language: "KO",
      username: "farmer-nine",
      password: "sickle+8",
    });
  });

  it("[admin] edits fields that an API returns beyond the base contract", () => {
    const values = { ...userValuesOf(bundled, ZONE), disabled: true };
    expect(updateBody(values, userOffer(bundled))).toMatchObject({
      userType: "ADMIN",
      disabled: true,
      emailNotification: true,
    });
    expect(registerBody({ ...whole, userType: "ADMIN" })).toMatchObject({ userType: "ADMIN" });
  });

  it("[admin] attaches the refusal to the field that removes the administrator role", () => {
    const admin = userValuesOf(bundled, ZONE);
    expect(roleField({ ...admin, userType: "USER", disabled: true }, admin)).toBe("userType");
    expect(roleField({ ...admin, disabled: true }, admin)).toBe("disabled");
    expect(roleField({ ...admin, username: "other" }, admin)).toBeNull();
    expect(roleField({ ...admin, userType: "USER" }, { ...admin, disabled: true })).toBeNull();
  });
});

const counted = (id: string, deviceCount?: number) => ({
  id,
  username: id,
  ...(deviceCount === undefined ? {} : { deviceCount }),
});

it("[admin] counts the devices deleted with accounts if the API reports them for every account", () => {
  expect(devicesOf([counted("a", 2), counted("b", 3), counted("c", 0)])).toBe(5);
  expect(devicesOf([counted("a", 2), counted("b")])).toBeNull();
});
