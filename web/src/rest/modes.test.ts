import { describe, expect, it } from "vitest";
import { createRestClient } from "./client.ts";
import { ApiError } from "./errors.ts";
import { type ModeSetting, putInCharge, saveSetting } from "./modes.ts";

const TRIGGER = "/api/v1/controller/channel/11/trigger";
const AUTOMATIC: ModeSetting = { mode: "automatic", body: { lowerBound: 20, wateringDuration: 5 } };

/** A farm API that answers each request with the next of its answers: a status, or a body. */
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

describe("the settings of the watering modes", () => {
  it("[modes] a setting that is not there yet is made", async () => {
    const { rest, sent } = setUp(null, {});
    await saveSetting(rest, 11, AUTOMATIC);
    expect(sent).toEqual([`GET ${TRIGGER}`, `POST ${TRIGGER} {"lowerBound":20,"wateringDuration":5}`]);
  });

  it.each([
    ["an empty object", {}],
    ["404", 404],
    ["204", 204],
  ])("[modes] %s means that there is none, too", async (_, none) => {
    const { rest, sent } = setUp(none, {});
    await saveSetting(rest, "11", AUTOMATIC);
    expect(sent[1]).toMatch(`POST ${TRIGGER} {`);
  });

  it("[modes] one that is there is changed by its id", async () => {
    const { rest, sent } = setUp({ id: 7, wateringDuration: 3 }, {});
    await saveSetting(rest, 11, {
      mode: "reservation",
      body: { offDelayMinutes: 3, onTime: "06:30", repeat: true },
    });
    expect(sent).toEqual([
      "GET /api/v1/controller/channel/11/reservation",
      'PUT /api/v1/controller/channel/11/reservation/7 {"offDelayMinutes":3,"onTime":"06:30","repeat":true}',
    ]);
  });

  it("[modes] one that was reset between the question and the change is made anew", async () => {
    const { rest, sent } = setUp({ id: 7 }, 404, null, {});
    await saveSetting(rest, 11, { mode: "period", body: { wateringDuration: 2 } });
    expect(sent.map((each) => each.split(" ")[0])).toEqual(["GET", "PUT", "GET", "POST"]);
  });

  it("[modes] a channel that is gone stays an error: nothing is tried without end", async () => {
    const { rest, sent } = setUp(404, 404);
    await expect(saveSetting(rest, 11, AUTOMATIC)).rejects.toBeInstanceOf(ApiError);
    expect(sent).toHaveLength(2);
  });

  it("[modes] nothing is written where the setting could not be asked for", async () => {
    const { rest, sent } = setUp(500);
    await expect(saveSetting(rest, 11, AUTOMATIC)).rejects.toMatchObject({ status: 500 });
    expect(sent).toEqual([`GET ${TRIGGER}`]);
  });

  it("[mode-enable] a mode is put in charge by a call of its own, and so is none", async () => {
    const { rest, sent } = setUp({}, {});
    await putInCharge(rest, 11, "period");
    await putInCharge(rest, 11, "none");
    expect(sent).toEqual([
      'PUT /api/v1/controller/channel/11/mode {"active":"period"}',
      'PUT /api/v1/controller/channel/11/mode {"active":"none"}',
    ]);
  });
});
