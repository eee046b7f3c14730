import { describe, expect, it } from "vitest";
import {
  NEW_USER,
  newUserFaults,
  registerBody,
  standingField,
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

describe("another's account", () => {
  it("[spec 1] a new account begins Korean and in Seoul", () => {
    expect(NEW_USER).toMatchObject({ language: "KO", timezone: "Asia/Seoul" });
  });

  it("[spec 1] a user name has 5 to 16 letters, digits, underscores or hyphens", () => {
    for (const username of ["abcd", "abcdefghijklmnopq", "with space", "한글이름요", "semi;colon"]) {
      expect(newUserFaults({ ...whole, username }), username).toEqual({ username: "username" });
    }
    for (const username of ["abcde", "A_b-9", "abcdefghijklmnop"]) {
      expect(newUserFaults({ ...whole, username }), username).toEqual({});
    }
  });

  it("[spec 1] a new account's password has 8 to 16 letters, digits and named characters", () => {
    for (const password of ["", "1234567", "12345678901234567", "has spaces", "비밀번호여덟글자"]) {
      expect(newUserFaults({ ...whole, password }), password).toEqual({ password: "password" });
    }
    expect(newUserFaults({ ...whole, password: "~!@#$%^&*()+_|<>" })).toEqual({});
  });

  it("[admin] what an account that stands never had is not asked for, and not sent", () => {
    const before = userValuesOf({ ...bundled, phone: "", farmAddress: null }, ZONE);
    const suspended = { ...before, disabled: true };
    expect(userFaults(suspended, before)).toEqual({});
    const body = updateBody(suspended, userOffer(bundled));
    expect(body).toMatchObject({ disabled: true, nickname: "Kim" });
    expect(body).not.toHaveProperty("phone");
    expect(body).not.toHaveProperty("farmAddress");
    expect(userFaults({ ...before, nickname: "" }, before)).toEqual({ nickname: "required" });
  });

  it("[spec 1] nickname, address, farm and phone are required of a new account", () => {
    const empty = { ...whole, nickname: " ", userAddress: "", farmAddress: "", phone: "" };
    expect(newUserFaults(empty)).toEqual({
      nickname: "required",
      userAddress: "required",
      farmAddress: "required",
      phone: "required",
    });
  });

  it("[admin] a user name that was taken before the rules may stay, and no other of its kind", () => {
    const before = userValuesOf({ ...plain, username: "x" }, ZONE);
    expect(userFaults(before, before)).toEqual({});
    expect(userFaults({ ...before, username: "y" }, before)).toEqual({ username: "username" });
  });

  it("[admin] an API of the plain contract is sent the seven fields of the contract and no other", () => {
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

  it("[admin] what an API tells beyond the plain contract can be changed", () => {
    const values = { ...userValuesOf(bundled, ZONE), disabled: true };
    expect(updateBody(values, userOffer(bundled))).toMatchObject({
      userType: "ADMIN",
      disabled: true,
      emailNotification: true,
    });
    expect(registerBody({ ...whole, userType: "ADMIN" })).toMatchObject({ userType: "ADMIN" });
  });

  it("[admin] what takes an administrator's standing away is the field that a refusal belongs to", () => {
    const admin = userValuesOf(bundled, ZONE);
    expect(standingField({ ...admin, userType: "USER", disabled: true }, admin)).toBe("userType");
    expect(standingField({ ...admin, disabled: true }, admin)).toBe("disabled");
    expect(standingField({ ...admin, username: "other" }, admin)).toBeNull();
    expect(standingField({ ...admin, userType: "USER" }, { ...admin, disabled: true })).toBeNull();
  });
});
