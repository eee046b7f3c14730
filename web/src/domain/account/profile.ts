import type { Account } from "@mulkko/shared/entities/account";
import type { AccountUpdateBody } from "@mulkko/shared/rest/account";
import { isTimeZone, type Language, languageOf, writtenLanguage } from "@mulkko/shared/rules/account-fields";
import { isEmail } from "@mulkko/shared/rules/email";

/** Values of the account form. */
export interface ProfileValues {
  readonly nickname: string;
  readonly phone: string;
  /** The e-mail address. */
  readonly userAddress: string;
  /** The farm's name. */
  readonly farmAddress: string;
  readonly timezone: string;
  /** Language of e-mails and of the next sign-in; empty if the account has none. */
  readonly language: Language | "";
  readonly emailNotification: boolean;
}

/** Account fields that this API supports beyond the base contract. */
export interface ProfileOffer {
  readonly language: boolean;
  readonly emailNotification: boolean;
}

export function profileOffer(account: Account): ProfileOffer {
  return {
    language: account.language !== undefined,
    emailNotification: account.emailNotification !== undefined,
  };
}

/** Return an account as initial form values. @param zone shown for an account without a time zone */
export function profileOf(account: Account, zone: string): ProfileValues {
  return {
    nickname: account.nickname ?? "",
    phone: account.phone ?? "",
    userAddress: account.userAddress ?? "",
    farmAddress: account.farmAddress ?? "",
    timezone: account.timezone || zone,
    language: languageOf(account.language ?? "") ?? "",
    emailNotification: account.emailNotification ?? false,
  };
}

const REQUIRED = ["nickname", "phone", "userAddress", "farmAddress"] as const;

export type ProfileFault = "required" | "zone" | "email" | "noEmail";

/**
 * Check a profile and return its faults by field. @param before the stored profile: its email is accepted
 * even if it is malformed
 */
export function profileFaults(
  values: ProfileValues,
  before: Pick<ProfileValues, "userAddress"> | null,
): Partial<Record<keyof ProfileValues, ProfileFault>> {
  const faults: Partial<Record<keyof ProfileValues, ProfileFault>> = {};
  for (const field of REQUIRED) if (values[field].trim() === "") faults[field] = "required";
  if (!isTimeZone(values.timezone.trim())) faults.timezone = "zone";
  const address = values.userAddress.trim();
  if (address !== "" && address !== before?.userAddress && !isEmail(address)) faults.userAddress = "email";
  else if (values.emailNotification && !isEmail(address)) faults.emailNotification = "noEmail";
  return faults;
}

/** Return the request body: beyond the base contract only the fields that the account carries. */
export function profileBody(values: ProfileValues, offer: ProfileOffer): AccountUpdateBody {
  return {
    nickname: values.nickname.trim(),
    userAddress: values.userAddress.trim(),
    farmAddress: values.farmAddress.trim(),
    phone: values.phone.trim(),
    timezone: values.timezone.trim(),
    ...(offer.language && values.language !== "" ? { language: writtenLanguage(values.language) } : {}),
    ...(offer.emailNotification ? { emailNotification: values.emailNotification } : {}),
  };
}
