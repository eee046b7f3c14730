import type { UserEntry, UserRegisterBody, UserUpdateBody } from "@mulkko/shared/rest/admin-user";
import { hasPasswordLength, PASSWORD_MIN_LENGTH, USERNAME_PATTERN } from "@mulkko/shared/rules/login";
import { ApiError } from "../../api/errors.ts";
import {
  type ProfileFault,
  type ProfileOffer,
  type ProfileValues,
  profileBody,
  profileFaults,
  profileOf,
} from "../../domain/account/profile.ts";

/** Values of the form of an account that an administrator edits. */
export interface UserValues extends ProfileValues {
  readonly username: string;
  readonly userType: "ADMIN" | "USER";
  /** True if the account can neither sign in nor stay signed in. */
  readonly disabled: boolean;
}

/** Values of the form of a new account. */
export interface NewUserValues extends ProfileValues {
  readonly username: string;
  readonly password: string;
  readonly userType: "ADMIN" | "USER";
}

/** Account fields that this API returns beyond the base contract. */
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

/** Return the user's role; USER if the farm API does not report it. */
export const roleOf = ({ userType }: UserEntry): UserValues["userType"] =>
  userType === "ADMIN" ? "ADMIN" : "USER";

/** Return an account as initial form values. @param zone shown for an account without a time zone */
export function userValuesOf(user: UserEntry, zone: string): UserValues {
  return {
    ...profileOf(user, zone),
    username: user.username,
    userType: roleOf(user),
    disabled: user.disabled ?? false,
  };
}

/** Initial values of a new account in the specification: Korean, in Seoul. */
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

/** A new account has only fields that every farm API accepts. */
export const NEW_USER_OFFER: ProfileOffer = { language: true, emailNotification: false };

export type UserFault = "username" | "password";

const USERNAME = new RegExp(USERNAME_PATTERN);
const isPassword = (text: string): boolean => hasPasswordLength(text, PASSWORD_MIN_LENGTH.registration);

type Faults<V> = Partial<Record<keyof V, UserFault | ProfileFault>>;

/**
 * Required fields of a new account; an existing one, such as a server's first administrator, may lack some.
 */
const LINES = ["nickname", "phone", "userAddress", "farmAddress"] as const;

/**
 * Check an account's values and return the faults by field.
 *
 * @param before the stored values: an invalid username or an empty field that is stored already is accepted,
 *   so that
 *   suspending an account requires no invented phone number
 */
export function userFaults(values: UserValues, before: UserValues): Faults<UserValues> {
  const faults: Faults<UserValues> = profileFaults(values, before);
  for (const line of LINES) if (before[line].trim() === "" && values[line].trim() === "") delete faults[line];
  if (values.username !== before.username && !USERNAME.test(values.username)) faults.username = "username";
  return faults;
}

/** Check a new account's values and return the faults by field. */
export function newUserFaults(values: NewUserValues): Faults<NewUserValues> {
  const faults: Faults<NewUserValues> = profileFaults(values, null);
  if (!USERNAME.test(values.username)) faults.username = "username";
  if (!isPassword(values.password)) faults.password = "password";
  return faults;
}

/**
 * Return the request of an update: fields with a value, and beyond the base contract only those that the API
 * returned.
 */
export function updateBody(values: UserValues, offer: UserOffer): UserUpdateBody {
  const profile = Object.entries(profileBody(values, offer)).filter(([, value]) => value !== "");
  return {
    username: values.username,
    ...Object.fromEntries(profile),
    ...(offer.userType ? { userType: values.userType } : {}),
    ...(offer.disabled ? { disabled: values.disabled } : {}),
  };
}

/** Return the request of a new account, which is a USER by default. */
export function registerBody(values: NewUserValues): UserRegisterBody {
  return {
    username: values.username,
    password: values.password,
    ...profileBody(values, NEW_USER_OFFER),
    ...(values.userType === "ADMIN" ? { userType: values.userType } : {}),
  };
}

/**
 * Return the field to which the refusal "no administrator would be left" belongs; null if the change cannot
 * cause it.
 */
export function roleField(values: UserValues, before: UserValues): "userType" | "disabled" | null {
  if (before.userType !== "ADMIN" || before.disabled) return null;
  if (values.userType !== "ADMIN") return "userType";
  return values.disabled ? "disabled" : null;
}

/** Return true if a deletion was refused because no administrator would be left. @param code the error's */
export const isLastAdministrator = (code: string): boolean => code === "conflict";

/**
 * Attach a refusal that names no field to the field that would remove the last administrator. Other errors
 * stay unchanged. @param field the one that removes the role; null if none does
 */
export function withRole(error: unknown, field: string | null): unknown {
  if (field === null || !(error instanceof ApiError) || error.status !== 409 || error.fields.length > 0) {
    return error;
  }
  const errors = [{ field, defaultMessage: error.message }];
  return new ApiError(error.status, { code: error.code, message: error.message, errors }, null);
}

/** Count the devices deleted with these accounts; null if the farm API does not report them. */
export function devicesOf(users: Iterable<UserEntry>): number | null {
  let devices = 0;
  for (const { deviceCount } of users) {
    if (deviceCount === undefined) return null;
    devices += deviceCount;
  }
  return devices;
}
