import { buildAccount } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { profileBody, profileFaults, profileOf, profileOffer } from "./profile.ts";

const ZONE = "Asia/Seoul";
const plain = buildAccount();
const bundled = buildAccount({ language: "ko", emailNotification: false });

describe("profile", () => {
  it("[spec 1] requires nickname, phone, email and farm name, and treats blanks as empty", () => {
    const empty = { ...profileOf(plain, ZONE), nickname: " ", phone: "", userAddress: "", farmAddress: "\t" };
    expect(profileFaults(empty, null)).toEqual({
      nickname: "required",
      phone: "required",
      userAddress: "required",
      farmAddress: "required",
    });
    expect(profileFaults(profileOf(plain, ZONE), null)).toEqual({});
  });

  it("[spec 1] requires an address for alarm e-mails and names the checkbox in the error", () => {
    const wanted = { ...profileOf(bundled, ZONE), emailNotification: true };
    expect(profileFaults(wanted, null)).toEqual({});
    const odd = { ...wanted, userAddress: "Nonsan" };
    expect(profileFaults(odd, odd)).toEqual({ emailNotification: "noEmail" });
    expect(profileFaults({ ...wanted, userAddress: "" }, null)).toMatchObject({
      emailNotification: "noEmail",
    });
  });

  it("[account] rejects an invalid email unless it is the stored one", () => {
    const odd = { ...profileOf(bundled, ZONE), userAddress: "not-an-email" };
    expect(profileFaults(odd, null)).toEqual({ userAddress: "email" });
    expect(profileFaults(odd, profileOf(bundled, ZONE))).toEqual({ userAddress: "email" });
    expect(profileFaults(odd, odd)).toEqual({});
  });

  it("[account] accepts only time zones that the browser knows", () => {
    for (const timezone of ["", "+09:00", "Asia/Nowhere", "9"]) {
      expect(profileFaults({ ...profileOf(plain, ZONE), timezone }, null), timezone).toEqual({
        timezone: "zone",
      });
    }
    expect(profileOf(buildAccount({ timezone: "" }), ZONE).timezone).toBe(ZONE);
  });

  it("[spec 1] sends exactly five fields to an API without extensions", () => {
    expect(profileOffer(plain)).toEqual({ language: false, emailNotification: false });
    const values = { ...profileOf(plain, ZONE), nickname: " 다온 ", language: "EN" as const };
    expect(profileBody(values, profileOffer(plain))).toEqual({
      nickname: "다온",
      userAddress: plain.userAddress,
      farmAddress: plain.farmAddress,
      phone: plain.phone,
      timezone: plain.timezone,
    });
  });

  it("[account] sends language and e-mail settings only if the account carries them, in either case", () => {
    const values = profileOf(bundled, ZONE);
    expect(values.language).toBe("KO");
    expect(profileBody(values, profileOffer(bundled))).toMatchObject({
      language: "KO",
      emailNotification: false,
    });
    const nothing = profileOf(buildAccount({ language: null, emailNotification: null }), ZONE);
    expect(profileBody(nothing, { language: true, emailNotification: true })).not.toHaveProperty("language");
  });
});
