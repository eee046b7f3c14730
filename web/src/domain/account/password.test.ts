import { describe, expect, it } from "vitest";
import { passwordFaults } from "./PasswordDialog.tsx";

const faults = (newPassword: string, confirmPassword: string, currentPassword = "", own = false) =>
  passwordFaults({ currentPassword, newPassword, confirmPassword }, own);
const same = (password: string) => faults(password, password);

describe("password", () => {
  it("[spec 1] accepts 5 to 64 characters in any script for a password set by an administrator", () => {
    expect(same("")).toEqual({ newPassword: "short" });
    expect(same("1234")).toEqual({ newPassword: "short" });
    for (const password of ["12345", "x".repeat(64), "비밀번호요", "a whole sentence; with 'signs'"]) {
      expect(same(password), password).toEqual({});
    }
    expect(same("x".repeat(65))).toEqual({ newPassword: "short" });
  });

  it("[spec 1] requires an identical repetition", () => {
    expect(faults("12345", "12346")).toEqual({
      confirmPassword: "differs",
    });
  });

  it("[own-password] requires the current password when the user changes their own", () => {
    expect(faults("12345", "12345", "", true)).toEqual({ currentPassword: "required" });
    expect(faults("12345", "12345", "old", true)).toEqual({});
  });
});
