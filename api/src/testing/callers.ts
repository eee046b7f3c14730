import type { InjectOptions } from "fastify";
import { RELAY_KEY, type TestFarm } from "./test-farm.ts";

type Method = NonNullable<InjectOptions["method"]>;
type Answer = Awaited<ReturnType<TestFarm["app"]["inject"]>>;

/** Asks the farm API as one person or another. */
export interface Callers {
  /** @param who a username, or `nobody` */
  ask(method: Method, url: string, body?: object | string, who?: string): Promise<Answer>;
  /** The same with a form-encoded body. */
  form(
    method: Method,
    url: string,
    fields: Readonly<Record<string, string>> | string,
    who?: string,
  ): Promise<Answer>;
}

/** Signs in everybody of the test farm; requests are `farmer-one`'s unless said otherwise. */
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

/** What the API says to the relay, as it comes. */
export interface HeardOutput {
  readonly topic: string;
  readonly body: unknown;
}

/** Listens as the relay does. @returns a list that grows */
export async function listenAsRelay(farm: TestFarm): Promise<HeardOutput[]> {
  const heard: HeardOutput[] = [];
  const relay = await farm.connect({ username: "relay", password: RELAY_KEY });
  relay.on("message", (topic, payload) => {
    heard.push({ topic, body: JSON.parse(payload.toString()) });
  });
  await relay.subscribeAsync("mulkko/out/#", { qos: 1 });
  return heard;
}
