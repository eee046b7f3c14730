import type { AccountUpdateBody } from "@mulkko/shared/rest/account";
import { isTimeZone, languageOf } from "@mulkko/shared/rules/account-fields";
import { isEmail } from "@mulkko/shared/rules/email";
import type { FieldErrors } from "../http/api-error.ts";

/** The fields of an account that its user may change. */
export interface Profile {
  readonly nickname: string;
  /** The e-mail address. */
  readonly userAddress: string;
  readonly farmAddress: string;
  readonly phone: string;
  readonly timezone: string;
  readonly language: string;
  readonly emailNotification: boolean;
}

const REQUIRED = {
  nickname: "The nickname is required.",
  userAddress: "The email address is required.",
  farmAddress: "The farm name is required.",
  phone: "The phone number is required.",
} as const;
const REQUIRED_FIELDS = ["nickname", "userAddress", "farmAddress", "phone"] as const;

/** Error for text that is not an e-mail address. */
export const NO_EMAIL = "The email address must have the form name@example.com.";

/**
 * Return the profile after a change; missing fields stay unchanged.
 *
 * @returns the profile, or every broken rule with its sentence
 */
export function changeProfile(
  current: Profile,
  requested: AccountUpdateBody,
): { readonly profile: Profile; readonly errors: FieldErrors } {
  const errors: FieldErrors = [];
  const fault = (field: keyof Profile, defaultMessage: string): void => {
    errors.push({ field, defaultMessage });
  };
  const texts = Object.fromEntries(
    REQUIRED_FIELDS.map((field) => {
      const text = requested[field]?.trim();
      if (text === "") fault(field, REQUIRED[field]);
      return [field, text ?? current[field]];
    }),
  );
  const timezone = requested.timezone?.trim() ?? current.timezone;
  if (requested.timezone !== undefined && !isTimeZone(timezone)) {
    fault("timezone", "The time zone must be a name such as Asia/Seoul.");
  }
  const language = requested.language === undefined ? current.language : languageOf(requested.language);
  if (language === null) fault("language", "The language must be KO, EN or ZH.");
  const profile: Profile = {
    ...current,
    ...texts,
    timezone,
    language: language ?? current.language,
    emailNotification: requested.emailNotification ?? current.emailNotification,
  };
  const { userAddress } = profile;
  // An address from before validation stays until it is changed, so that the other fields can be changed.
  const isNewAddress = userAddress !== "" && userAddress !== current.userAddress;
  if (isNewAddress && !isEmail(userAddress)) {
    fault("userAddress", NO_EMAIL);
  } else if (requested.emailNotification && !isEmail(userAddress)) {
    fault("emailNotification", "Email notifications require an email address.");
  }
  // Without an address no mail can be sent: removing the address switches mails off.
  const emailNotification = profile.emailNotification && isEmail(userAddress);
  return { profile: { ...profile, emailNotification }, errors };
}

/** Defaults of a new account. */
export const NEW_PROFILE: Profile = {
  nickname: "",
  userAddress: "",
  farmAddress: "",
  phone: "",
  timezone: "Asia/Seoul",
  language: "KO",
  emailNotification: false,
};

/** Return a complete profile: every required field must be present. */
export function newProfile(requested: AccountUpdateBody): ReturnType<typeof changeProfile> {
  const whole = Object.fromEntries(REQUIRED_FIELDS.map((field) => [field, requested[field] ?? ""]));
  return changeProfile(NEW_PROFILE, { ...requested, ...whole });
}
