import Type from "typebox";
import { Account } from "../../entities/account.ts";
import {
  AccountUpdateBody,
  ContactBody,
  ImageAnswer,
  LoginBody,
  OwnPasswordBody,
  RecoverBody,
  RecoverConfirmBody,
  SessionEntry,
  TokenPair,
} from "../account.ts";
import { Capabilities } from "../capabilities.ts";
import { SetupBody, SetupState } from "../setup.ts";
import type { Operation } from "./operation.ts";

/** Sign in; the plain contract sends name and password in the query. */
export const accountLogin = {
  methods: ["POST"],
  path: "/api/account/login",
  body: LoginBody,
  answer: TokenPair,
  answeredByRelay: true,
} as const satisfies Operation;

export const accountInfo = {
  methods: ["GET"],
  path: "/api/account/info",
  answer: Account,
  readableAs: true,
} as const satisfies Operation;

export const accountLogout = {
  methods: ["GET"],
  path: "/api/account/logout",
  answer: null,
  ends: { of: "caller", what: "session" },
} as const satisfies Operation;

/** Exchange the refresh token in the header `refreshToken` for a new pair. */
export const tokenRefresh = {
  methods: ["PUT", "POST"],
  path: "/api/account/update/refresh",
  answer: TokenPair,
} as const satisfies Operation;

export const accountUpdate = {
  methods: ["PUT", "POST"],
  path: "/api/account/update/:id",
  body: AccountUpdateBody,
  answer: Account,
} as const satisfies Operation;

export const accountImage = {
  methods: ["PUT", "POST"],
  path: "/api/account/update/image",
  answer: ImageAnswer,
} as const satisfies Operation;

export const contactSend = {
  methods: ["POST"],
  path: "/api/account/contact",
  body: ContactBody,
  answer: null,
} as const satisfies Operation;

/** Extension `own-password`. */
export const ownPassword = {
  methods: ["POST"],
  path: "/api/account/password",
  body: OwnPasswordBody,
  answer: null,
  ends: { of: "caller", what: "password" },
} as const satisfies Operation;

/** Mail a link to a new password; the answer is the same for an unknown address. */
export const recoverBegin = {
  methods: ["POST"],
  path: "/api/account/recover",
  body: RecoverBody,
  answer: Type.Unsafe<undefined>({ type: "null" }),
  status: 202,
} as const satisfies Operation;

/** Extension `password-mail`. */
export const recoverConfirm = {
  methods: ["POST"],
  path: "/api/account/recover/confirm",
  body: RecoverConfirmBody,
  answer: null,
} as const satisfies Operation;

/** Extension `sessions`. */
export const sessionList = {
  methods: ["GET"],
  path: "/api/v1/session",
  answer: Type.Array(SessionEntry),
} as const satisfies Operation;

/** Extension `sessions`. */
export const sessionEnd = {
  methods: ["DELETE"],
  path: "/api/v1/session/:id",
  answer: null,
  ends: { of: "caller", what: "session" },
} as const satisfies Operation;

export const setupRead = {
  methods: ["GET"],
  secret: true,
  path: "/api/v1/setup",
  answer: SetupState,
} as const satisfies Operation;

/** Create the first administrator. */
export const setupBegin = {
  methods: ["POST"],
  path: "/api/v1/setup",
  body: SetupBody,
  answer: Account,
  status: 201,
} as const satisfies Operation;

export const capabilityList = {
  methods: ["GET"],
  path: "/api/v1/capabilities",
  answer: Capabilities,
} as const satisfies Operation;

/** The contract as an OpenAPI document. */
export const openApi = { methods: ["GET"], path: "/api/openapi.json" } as const satisfies Operation;
