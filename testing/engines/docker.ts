import { request } from "node:http";

const PING_TIMEOUT_MS = 1_000;

const ping = (): Promise<boolean> =>
  new Promise((resolve) => {
    const host = process.env.DOCKER_HOST ?? "unix:///var/run/docker.sock";
    const target = host.startsWith("unix://")
      ? { socketPath: host.slice("unix://".length) }
      : { host: new URL(host).hostname, port: new URL(host).port };
    const call = request({ ...target, path: "/_ping", timeout: PING_TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.once("error", () => resolve(false));
    call.once("timeout", () => {
      call.destroy();
      resolve(false);
    });
    call.end();
  });

let answer: Promise<boolean> | undefined;

/** Return true if a Docker engine answers; checked once per process. */
export const dockerAnswers = (): Promise<boolean> => {
  answer ??= ping();
  return answer;
};
