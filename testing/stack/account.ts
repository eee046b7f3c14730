import { Controller } from "@mulkko/shared/entities/controller";
import { Sensor } from "@mulkko/shared/entities/sensor";
import { TokenPair } from "@mulkko/shared/rest/account";
import { accountLogin } from "@mulkko/shared/rest/operations/account";
import { controllerList } from "@mulkko/shared/rest/operations/controllers";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { parse } from "@mulkko/shared/schema/parse";
import { type Static, type TSchema, Type } from "typebox";

/** The password of the demo's accounts, as the README prints it. */
export const DEMO_PASSWORD = "mulkko2026!";

/** Read a JSON answer that must follow the contract. */
export async function read<S extends TSchema>(response: Response, schema: S): Promise<Static<S>> {
  const body: unknown = await response.json();
  const parsed = parse(schema, body);
  if (!parsed.ok)
    throw new Error(`${response.url}: ${parsed.path} ${parsed.message}\n${JSON.stringify(body)}`);
  return parsed.value;
}

/** A signed-in account, through the relay as a browser does. */
export interface SignedIn {
  readonly token: string;
  get(path: string): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  sensors(): Promise<Sensor[]>;
  controllers(): Promise<Controller[]>;
}

/** Send the login form's body. */
export function login(url: string, username: string, password: string): Promise<Response> {
  return fetch(url + accountLogin.path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
}

export async function signIn(url: string, username: string): Promise<SignedIn> {
  const response = await login(url, username, DEMO_PASSWORD);
  if (!response.ok) throw new Error(`login of ${username}: ${response.status} ${await response.text()}`);
  const { accessToken: token } = await read(response, TokenPair);
  const authorization = `Bearer ${token}`;
  const get = (path: string): Promise<Response> => fetch(url + path, { headers: { authorization } });
  return {
    token,
    get,
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: { authorization, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    sensors: async () => read(await get(sensorList.path), Type.Array(Sensor)),
    controllers: async () => read(await get(controllerList.path), Type.Array(Controller)),
  };
}
