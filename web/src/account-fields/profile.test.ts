import { buildAccount } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { profileBody, profileFaults, profileOf, profileOffer } from "./profile.ts";

const ZONE = "Asia/Seoul";
const plain = buildAccount();
const bundled = buildAccount({ language: "ko", emailNotification: false });

describe("profile", () => {
  it("[spec 1] nickname, phone, email and farm name are required; blanks are nothing", () => {
    const empty = { ...profileOf(plain, ZONE), nickname: " ", phone: "", userAddress: "", farmAddress: "\t" };
    expect(profileFaults(empty, null)).toEqual({
      nickname: "required",
      phone: "required",
      userAddress: "required",
      farmAddress: "required",
    });
    expect(profileFaults(profileOf(plain, ZONE), null)).toEqual({});
  });

  it("[spec 1] e-mails of alarms need an address, and the box says so", () => {
    const wish = { ...profileOf(bundled, ZONE), emailNotification: true };
    expect(profileFaults(wish, null)).toEqual({});
    const odd = { ...wish, userAddress: "Nonsan" };
    expect(profileFaults(odd, odd)).toEqual({ emailNotification: "noEmail" });
    expect(profileFaults({ ...wish, userAddress: "" }, null)).toMatchObject({ emailNotification: "noEmail" });
  });

  it("[account] an email is one, unless it stood there before", () => {
    const odd = { ...profileOf(bundled, ZONE), userAddress: "not-an-email" };
    expect(profileFaults(odd, null)).toEqual({ userAddress: "email" });
    expect(profileFaults(odd, profileOf(bundled, ZONE))).toEqual({ userAddress: "email" });
    expect(profileFaults(odd, odd)).toEqual({});
  });

  it("[account] a zone is a name that the browser knows", () => {
    for (const timezone of ["", "+09:00", "Asia/Nowhere", "9"]) {
      expect(profileFaults({ ...profileOf(plain, ZONE), timezone }, null), timezone).toEqual({
        timezone: "zone",
      });
    }
    expect(profileOf(buildAccount({ timezone: "" }), ZONE).timezone).toBe(ZONE);
  });

  it("[spec 1] an API of the plain contract gets its five fields and no other", () => {
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

  it("[account] language and e-mails go along where the account carries them, in whatever case it came", () => {
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
