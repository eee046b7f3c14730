import type { UserEntry, UserRegisterBody, UserUpdateBody } from "@mulkko/shared/rest/admin-user";
import {
  LOGIN_MAX_LENGTH,
  PASSWORD_CHARACTERS,
  PASSWORD_MIN_LENGTH,
  USERNAME_PATTERN,
} from "@mulkko/shared/rules/login";
import {
  type ProfileFault,
  type ProfileOffer,
  type ProfileValues,
  profileBody,
  profileFaults,
  profileOf,
} from "../../account-fields/profile.ts";

/** What stands in the form of an account that somebody administers. */
export interface UserValues extends ProfileValues {
  readonly username: string;
  readonly userType: "ADMIN" | "USER";
  /** It can neither sign in nor go on. */
  readonly disabled: boolean;
}

/** What stands in the form of an account that is to be made. */
export interface NewUserValues extends ProfileValues {
  readonly username: string;
  readonly password: string;
  readonly userType: "ADMIN" | "USER";
}

/** What this API tells of an account beyond the plain contract. */
export interface UserOffer extends ProfileOffer {
  readonly userType: boolean;
  readonly disabled: boolean;
}

export function userOffer(user: UserEntry): UserOffer {
  return {
    language: true,
    emailNotification: user.emailNotification !== undefined,
    userType: user.userType !== undefined,
    disabled: user.disabled !== undefined,
  };
}

/** Whether somebody farms or administers; of whom the farm API does not say it, farms. */
export const standingOf = ({ userType }: UserEntry): UserValues["userType"] =>
  userType === "ADMIN" ? "ADMIN" : "USER";

/** An account as its form begins. @param zone what an account without a zone is shown in */
export function userValuesOf(user: UserEntry, zone: string): UserValues {
  return {
    ...profileOf(user, zone),
    username: user.username,
    userType: standingOf(user),
    disabled: user.disabled ?? false,
  };
}

/** As the specification begins a new account: Korean, in Seoul. */
export const NEW_USER: NewUserValues = {
  username: "",
  password: "",
  userType: "USER",
  nickname: "",
  phone: "",
  userAddress: "",
  farmAddress: "",
  timezone: "Asia/Seoul",
  language: "KO",
  emailNotification: false,
};

/** Of a new account only what every farm API takes. */
export const NEW_USER_OFFER: ProfileOffer = { language: true, emailNotification: false };

export type UserFault = "username" | "password";

const USERNAME = new RegExp(USERNAME_PATTERN);
const ALLOWED = new RegExp(PASSWORD_CHARACTERS);

const isPassword = (text: string): boolean =>
  text.length >= PASSWORD_MIN_LENGTH.registration && text.length <= LOGIN_MAX_LENGTH && ALLOWED.test(text);

type Faults<V> = Partial<Record<keyof V, UserFault | ProfileFault>>;

/** Lines that a new account must have; of one that stands, such as a server's first administrator, some may be missing. */
const LINES = ["nickname", "phone", "userAddress", "farmAddress"] as const;

/**
 * What is wrong with an account's values, by field.
 *
 * @param before a user name that was taken once may stay, and so may what was empty: whoever suspends an account does
 *   not have to make up its telephone number
 */
export function userFaults(values: UserValues, before: UserValues): Faults<UserValues> {
  const faults: Faults<UserValues> = profileFaults(values, before);
  for (const line of LINES) if (before[line].trim() === "" && values[line].trim() === "") delete faults[line];
  if (values.username !== before.username && !USERNAME.test(values.username)) faults.username = "username";
  return faults;
}

/** What is wrong with a new account's values, by field. */
export function newUserFaults(values: NewUserValues): Faults<NewUserValues> {
  const faults: Faults<NewUserValues> = profileFaults(values, null);
  if (!USERNAME.test(values.username)) faults.username = "username";
  if (!isPassword(values.password)) faults.password = "password";
  return faults;
}

/** What is sent of a changed account: what has a value; of what lies beyond the plain contract only what the API has told. */
export function updateBody(values: UserValues, offer: UserOffer): UserUpdateBody {
  const profile = Object.entries(profileBody(values, offer)).filter(([, value]) => value !== "");
  return {
    username: values.username,
    ...Object.fromEntries(profile),
    ...(offer.userType ? { userType: values.userType } : {}),
    ...(offer.disabled ? { disabled: values.disabled } : {}),
  };
}

/** What is sent of a new account; that it is an ordinary one goes without saying. */
export function registerBody(values: NewUserValues): UserRegisterBody {
  return {
    username: values.username,
    password: values.password,
    ...profileBody(values, NEW_USER_OFFER),
    ...(values.userType === "ADMIN" ? { userType: values.userType } : {}),
  };
}

/** The field that a "no, nobody would be left to administer" belongs to; null where the change cannot be that. */
export function standingField(values: UserValues, before: UserValues): "userType" | "disabled" | null {
  if (before.userType !== "ADMIN" || before.disabled) return null;
  if (values.userType !== "ADMIN") return "userType";
  return values.disabled ? "disabled" : null;
}
