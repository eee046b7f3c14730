import type { InjectOptions } from "fastify";
import { RELAY_KEY, type TestFarm } from "./test-farm.ts";

type Method = NonNullable<InjectOptions["method"]>;
type Answer = Awaited<ReturnType<TestFarm["app"]["inject"]>>;

/** Call the farm API as different users. */
export interface Callers {
  /** @param who a username, or `nobody` */
  ask(method: Method, url: string, body?: object | string, who?: string): Promise<Answer>;
  /** Send a form-encoded body. */
  form(
    method: Method,
    url: string,
    fields: Readonly<Record<string, string>> | string,
    who?: string,
  ): Promise<Answer>;
}

/** Sign in all users of the test farm; requests are `farmer-one`'s by default. */
export async function signInAll(farm: TestFarm): Promise<Callers> {
  const headers: Record<string, { authorization: string }> = {};
  for (const name of ["farmer-one", "farmer-two", "overseer"]) {
    headers[name] = { authorization: (await farm.signIn(name)).authorization };
  }
  return {
    ask: (method, url, body, who = "farmer-one") =>
      farm.app.inject({
        method,
        url,
        headers: headers[who] ?? {},
        ...(body === undefined ? {} : { payload: body }),
      }),
    form: (method, url, fields, who = "farmer-one") =>
      farm.app.inject({
        method,
        url,
        headers: { ...headers[who], "content-type": "application/x-www-form-urlencoded" },
        payload: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
      }),
  };
}

/** A message from the API to the relay. */
export interface ReceivedOutput {
  readonly topic: string;
  readonly body: unknown;
}

/** Subscribe like the relay. @returns a list that grows */
export async function listenAsRelay(farm: TestFarm): Promise<ReceivedOutput[]> {
  const received: ReceivedOutput[] = [];
  const relay = await farm.connect({ username: "relay", password: RELAY_KEY });
  relay.on("message", (topic, payload) => {
    received.push({ topic, body: JSON.parse(payload.toString()) });
  });
  await relay.subscribeAsync("mulkko/out/#", { qos: 1 });
  return received;
}
