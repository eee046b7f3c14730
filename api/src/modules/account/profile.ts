import type { AccountUpdateBody } from "@mulkko/shared/rest/account";
import { isTimeZone, languageOf } from "@mulkko/shared/rules/account-fields";
import { isEmail } from "@mulkko/shared/rules/email";
import type { FieldErrors } from "../../http/api-error.ts";

/** What a person may change of an account. */
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
  userAddress: "The e-mail address is required.",
  farmAddress: "The farm's name is required.",
  phone: "The phone number is required.",
} as const;
const REQUIRED_FIELDS = ["nickname", "userAddress", "farmAddress", "phone"] as const;

/** The sentence about text that is no e-mail address. */
export const NO_EMAIL = "The e-mail address must be one such as name@example.com.";

/**
 * The profile after a change; what the wish leaves out stays as it is.
 *
 * @returns the profile, or every rule that the wish breaks with its sentence
 */
export function changeProfile(
  current: Profile,
  wish: AccountUpdateBody,
): { readonly profile: Profile; readonly errors: FieldErrors } {
  const errors: FieldErrors = [];
  const fault = (field: keyof Profile, defaultMessage: string): void => {
    errors.push({ field, defaultMessage });
  };
  const texts = Object.fromEntries(
    REQUIRED_FIELDS.map((field) => {
      const text = wish[field]?.trim();
      if (text === "") fault(field, REQUIRED[field]);
      return [field, text ?? current[field]];
    }),
  );
  const timezone = wish.timezone?.trim() ?? current.timezone;
  if (wish.timezone !== undefined && !isTimeZone(timezone)) {
    fault("timezone", "The time zone must be a name such as Asia/Seoul.");
  }
  const language = wish.language === undefined ? current.language : languageOf(wish.language);
  if (language === null) fault("language", "The language must be KO, EN or ZH.");
  const profile: Profile = {
    ...current,
    ...texts,
    timezone,
    language: language ?? current.language,
    emailNotification: wish.emailNotification ?? current.emailNotification,
  };
  const { userAddress } = profile;
  // An address from before this rule stays until it is changed, so that the other fields of its account can be.
  const isNewAddress = userAddress !== "" && userAddress !== current.userAddress;
  if (isNewAddress && !isEmail(userAddress)) {
    fault("userAddress", NO_EMAIL);
  } else if (wish.emailNotification && !isEmail(userAddress)) {
    fault("emailNotification", "Notifications by e-mail need an e-mail address.");
  }
  // Without an address there is nowhere to send to: the wish of an earlier address ends with it.
  const emailNotification = profile.emailNotification && isEmail(userAddress);
  return { profile: { ...profile, emailNotification }, errors };
}

/** What a new account begins with. */
export const NEW_PROFILE: Profile = {
  nickname: "",
  userAddress: "",
  farmAddress: "",
  phone: "",
  timezone: "Asia/Seoul",
  language: "KO",
  emailNotification: false,
};

/** A profile made whole: every required field has to be there. */
export function newProfile(wish: AccountUpdateBody): ReturnType<typeof changeProfile> {
  const whole = Object.fromEntries(REQUIRED_FIELDS.map((field) => [field, wish[field] ?? ""]));
  return changeProfile(NEW_PROFILE, { ...wish, ...whole });
}
