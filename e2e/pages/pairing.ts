import { Display, PairingAnswer, PairingCode } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { read } from "@mulkko/testing/stack/account";

const post = (url: string, body?: unknown): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: {
      "user-agent": "Mozilla/5.0 (Linux; Android 11; TV) Chrome/120.0 Safari/537.36",
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/**
 * An unpaired screen on a wall: it asks for a code, and repeats its request for a token until it gets one.
 */
export interface UnpairedScreen {
  readonly code: string;
  readonly approvePath: string;
  /** Answer to its request for a token. */
  ask(): Promise<PairingAnswer>;
}

export async function startScreen(url: string): Promise<UnpairedScreen> {
  const { code, approvePath, deviceCode } = await read(await post(url + relayPath.displayCodes), PairingCode);
  return {
    code,
    approvePath,
    ask: async () => read(await post(url + relayPath.displayToken, { deviceCode }), PairingAnswer),
  };
}

/** Pair a screen without the interface, for the steps after that. */
export async function pairScreen(
  url: string,
  token: string,
  settings: Display["settings"],
): Promise<{ token: string; display: Display }> {
  const screen = await startScreen(url);
  const approved = await fetch(url + relayPath.displays, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ code: screen.code, settings }),
  });
  await read(approved, Display);
  const answer = await screen.ask();
  if (answer.state !== "approved") throw new Error(`the screen received ${answer.state}`);
  return answer;
}

/** Settings of a screen that shows everything. */
export const SCREEN_SETTINGS: Display["settings"] = {
  name: "관제실",
  farms: null,
  pages: ["overview", "valves", "map", "trends", "alarms"],
  tiles: null,
  turnSeconds: 20,
  diagonalInches: 55,
  distanceMetres: 3,
  language: "ko",
  colorMode: "dark",
  night: { from: "21:00", to: "06:00" },
  sound: true,
  scope: "ack",
};
