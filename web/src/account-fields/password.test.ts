import { describe, expect, it } from "vitest";
import { passwordFaults } from "./password.ts";

const faults = (newPassword: string, confirmPassword: string, currentPassword = "", own = false) =>
  passwordFaults({ currentPassword, newPassword, confirmPassword }, own);
const same = (password: string) => faults(password, password);

describe("password", () => {
  it("[spec 1] a password that an administrator sets has 5 to 16 characters", () => {
    expect(same("")).toEqual({ newPassword: "short" });
    expect(same("1234")).toEqual({ newPassword: "short" });
    expect(same("12345")).toEqual({});
    expect(same("1234567890123456")).toEqual({});
    expect(same("12345678901234567")).toEqual({ newPassword: "short" });
  });

  it("[spec 1] it is made of letters, digits and the named characters", () => {
    expect(same("a~!@#$%^&*()+_|")).toEqual({});
    expect(same("<>?:{}")).toEqual({});
    for (const password of ["비밀번호요", "with space", "semi;colon", "quote'"]) {
      expect(same(password), password).toEqual({ newPassword: "characters" });
    }
  });

  it("[spec 1] the repetition must be identical", () => {
    expect(faults("12345", "12346")).toEqual({
      confirmPassword: "differs",
    });
  });

  it("[own-password] the current one has to be given where it is asked for", () => {
    expect(faults("12345", "12345", "", true)).toEqual({ currentPassword: "required" });
    expect(faults("12345", "12345", "old", true)).toEqual({});
  });
});
