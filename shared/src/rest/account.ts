import { type Static, Type } from "typebox";

/** Login form from the browser to the relay, which converts it into the query form of the farm API. */
export const LoginBody = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 64 }),
  password: Type.String({ minLength: 1, maxLength: 128 }),
});
export type LoginBody = Static<typeof LoginBody>;

/** Answer of login (with the misspelled name of the original) and of refresh. */
export const TokenPair = Type.Object({
  accessToken: Type.String({ minLength: 1 }),
  refeshToken: Type.Optional(Type.String()),
  refreshToken: Type.Optional(Type.String()),
});
export type TokenPair = Static<typeof TokenPair>;

/** Return the refresh token under either of its two names; null if there is none. */
export function refreshTokenOf(pair: TokenPair): string | null {
  return pair.refreshToken ?? pair.refeshToken ?? null;
}

/** Body and answer of the relay's own session (extension `relay-session`). */
export const RelaySessionBody = Type.Object({ userId: Type.String({ minLength: 1, maxLength: 128 }) });
export const RelaySession = Type.Object({ accessToken: Type.String({ minLength: 1 }) });

/** Maximum lengths of an account's fields. */
export const ACCOUNT_LENGTHS = { nickname: 64, address: 254, phone: 32, timezone: 64, language: 16 } as const;

/** Account fields that a user may change; an absent field stays. */
export const ProfileFields = {
  nickname: Type.Optional(Type.String({ maxLength: ACCOUNT_LENGTHS.nickname })),
  /** The account's e-mail address. */
  userAddress: Type.Optional(Type.String({ maxLength: ACCOUNT_LENGTHS.address })),
  farmAddress: Type.Optional(Type.String({ maxLength: ACCOUNT_LENGTHS.address })),
  phone: Type.Optional(Type.String({ maxLength: ACCOUNT_LENGTHS.phone })),
  timezone: Type.Optional(Type.String({ maxLength: ACCOUNT_LENGTHS.timezone })),
  /** KO, EN or ZH in any case. */
  language: Type.Optional(Type.String({ maxLength: ACCOUNT_LENGTHS.language })),
  emailNotification: Type.Optional(Type.Boolean()),
};

/** Body of `PUT /api/account/update/{id}`. */
export const AccountUpdateBody = Type.Object(ProfileFields);
export type AccountUpdateBody = Static<typeof AccountUpdateBody>;

/** Maximum lengths of the contact form. */
export const CONTACT_LENGTHS = { name: 64, title: 200, message: 5_000 } as const;

/** Body of `POST /api/account/contact`. */
export const ContactBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: CONTACT_LENGTHS.name }),
  title: Type.Optional(Type.String({ maxLength: CONTACT_LENGTHS.title })),
  message: Type.Optional(Type.String({ maxLength: CONTACT_LENGTHS.message })),
});
export type ContactBody = Static<typeof ContactBody>;

const Password = Type.String({ minLength: 1, maxLength: 128 });

/** Body of `POST /api/account/password` (extension `own-password`). */
export const OwnPasswordBody = Type.Object({
  currentPassword: Password,
  newPassword: Password,
  confirmPassword: Password,
});
export type OwnPasswordBody = Static<typeof OwnPasswordBody>;

/** Body of `POST /api/account/recover`. */
export const RecoverBody = Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) });

/** Body of `POST /api/account/recover/confirm`: the token of the mailed link, and the new password. */
export const RecoverConfirmBody = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 128 }),
  password: Password,
});

/** Answer of the calls that take an image. */
export const ImageAnswer = Type.Object({ imagePath: Type.String() });
export type ImageAnswer = Static<typeof ImageAnswer>;

/** A signed-in device of the caller (extension `sessions`). */
export const SessionEntry = Type.Object({
  id: Type.String(),
  createdDate: Type.String(),
  /** Time of the last sign-in or token refresh. */
  usedDate: Type.String(),
  userAgent: Type.String(),
  /** True for the session of this request. */
  current: Type.Boolean(),
});
export type SessionEntry = Static<typeof SessionEntry>;
