import { describe, expect, it } from "vitest";
import { createRestClient } from "./client.ts";
import { ApiError } from "./errors.ts";
import { endMode, type ModeSetting, putInCharge, saveSetting } from "./modes.ts";

const TRIGGER = "/api/v1/controller/channel/11/trigger";
const AUTOMATIC: ModeSetting = { mode: "automatic", body: { lowerBound: 20, wateringDuration: 5 } };

/** Create a farm API that answers each request with its next answer: a status, or a body. */
function setUp(...answers: readonly (number | object | null)[]) {
  const sent: string[] = [];
  const left = [...answers];
  const fetcher = async (path: string, init: RequestInit): Promise<Response> => {
    sent.push([init.method, path, init.body].filter(Boolean).join(" "));
    const answer = left.shift() ?? null;
    if (typeof answer === "number")
      return new Response(
        answer === 204 ? null : JSON.stringify({ status: answer, code: "x", message: "" }),
        {
          status: answer,
        },
      );
    return new Response(JSON.stringify(answer));
  };
  const rest = createRestClient({ accessToken: () => "token", refresh: async () => null }, fetcher);
  return { rest, sent };
}

describe("settings of the watering modes", () => {
  it("[modes] creates a missing setting", async () => {
    const { rest, sent } = setUp(null, {});
    await saveSetting(rest, 11, AUTOMATIC, null);
    expect(sent).toEqual([`GET ${TRIGGER}`, `POST ${TRIGGER} {"lowerBound":20,"wateringDuration":5}`]);
  });

  it.each([
    ["an empty object", {}],
    ["404", 404],
    ["204", 204],
  ])("[modes] treats %s as no setting", async (_, none) => {
    const { rest, sent } = setUp(none, {});
    await saveSetting(rest, "11", AUTOMATIC, null);
    expect(sent[1]).toMatch(`POST ${TRIGGER} {`);
  });

  it("[modes] changes an existing setting by its id", async () => {
    const { rest, sent } = setUp({ id: 7, wateringDuration: 3 }, {});
    await saveSetting(
      rest,
      11,
      {
        mode: "reservation",
        body: { offDelayMinutes: 3, onTime: "06:30", repeat: true },
      },
      null,
    );
    expect(sent).toEqual([
      "GET /api/v1/controller/channel/11/reservation",
      'PUT /api/v1/controller/channel/11/reservation/7 {"offDelayMinutes":3,"onTime":"06:30","repeat":true}',
    ]);
  });

  it("[modes] creates a setting that was reset between query and change", async () => {
    const { rest, sent } = setUp({ id: 7 }, 404, null, {});
    await saveSetting(rest, 11, { mode: "period", body: { wateringDuration: 2 } }, null);
    expect(sent.map((each) => each.split(" ")[0])).toEqual(["GET", "PUT", "GET", "POST"]);
  });

  it("[modes] fails for a deleted channel without endless retries", async () => {
    const { rest, sent } = setUp(404, 404);
    await expect(saveSetting(rest, 11, AUTOMATIC, null)).rejects.toBeInstanceOf(ApiError);
    expect(sent).toHaveLength(2);
  });

  it("[modes] writes nothing if the query of the setting failed", async () => {
    const { rest, sent } = setUp(500);
    await expect(saveSetting(rest, 11, AUTOMATIC, null)).rejects.toMatchObject({ status: 500 });
    expect(sent).toEqual([`GET ${TRIGGER}`]);
  });

  it("[mode-enable] puts a mode in charge, or ends it, by a separate call", async () => {
    const { rest, sent } = setUp({}, {});
    await putInCharge(rest, 11, "period", null);
    await endMode(rest, 11, "period");
    expect(sent).toEqual([
      'PUT /api/v1/controller/channel/11/mode {"active":"period"}',
      'PUT /api/v1/controller/channel/11/mode {"active":"none","insteadOf":"period"}',
    ]);
  });

  it("[CMD-16] sends the press time with settings that may open water, and not with those that end or prevent it", async () => {
    const pressed = { at: Date.parse("2026-11-23T01:00:00Z"), withinMs: 12.5 };
    const times: unknown[] = [];
    const rest = createRestClient(
      { accessToken: () => "token", refresh: async () => null },
      async (_path, { method, headers }) => {
        const said = new Headers(headers);
        if (method !== "GET") times.push([said.get("x-pressed-at"), said.get("x-pressed-within-ms")]);
        return new Response("{}");
      },
    );
    await saveSetting(rest, 11, AUTOMATIC, pressed);
    await putInCharge(rest, 11, "automatic", pressed);
    await endMode(rest, 11, "automatic");
    await saveSetting(rest, 11, { mode: "automatic", body: { ...AUTOMATIC.body, active: false } }, pressed);
    const said = ["2026-11-23T01:00:00.000Z", "13"];
    expect(times).toEqual([said, said, [null, null], [null, null]]);
  });
});
