import { describe, expect, it } from "vitest";
import { createRestClient } from "./client.ts";
import {
  addController,
  deleteChannel,
  deleteController,
  refreshChannel,
  removeChannelSensor,
  updateController,
  updateControllerImage,
} from "./controllers.ts";

function setUp(answer: Response = new Response("")) {
  const sent: { line: string; body: unknown }[] = [];
  const fetcher = async (path: string, init: RequestInit): Promise<Response> => {
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : init.body;
    sent.push({ line: `${init.method} ${path}`, body });
    return answer.clone();
  };
  const rest = createRestClient({ accessToken: () => "token", refresh: async () => null }, fetcher);
  return { rest, sent };
}

describe("controller calls", () => {
  it("[controller] returns a new controller's id and, once, its key", async () => {
    const { rest, sent } = setUp(new Response(JSON.stringify({ id: "c", serial: 5, deviceKey: "ab" })));
    const body = { serial: "5", name: "House", type: "CON04V" };
    expect(await addController(rest, body, "k")).toMatchObject({ id: "c", key: { deviceKey: "ab" } });
    expect(sent).toEqual([{ line: "POST /api/v1/controller", body }]);
  });

  it("[controller] treats an empty answer as a successful registration", async () => {
    const { rest } = setUp();
    expect(await addController(rest, { serial: "5", name: "House", type: "CON04V" }, "k")).toEqual({
      id: null,
      key: null,
    });
  });

  it("[controller] sends the controller's id in the body and in each channel of a change", async () => {
    const { rest, sent } = setUp();
    const fields = { serial: "5", name: "House", description: "" };
    await updateController(rest, "c", { ...fields, channels: [{ channelNumber: 2, sensorIds: ["s"] }] });
    const channels = [{ channelNumber: 2, controllerId: "c", sensorIds: ["s"] }];
    expect(sent).toEqual([
      { line: "PUT /api/v1/controller/c", body: { ...fields, controllerId: "c", channels } },
    ]);
  });

  it("[controller] deletes a controller, a channel and a channel's sensor by separate calls", async () => {
    const { rest, sent } = setUp(new Response(null, { status: 204 }));
    await deleteController(rest, "c");
    await deleteChannel(rest, 11);
    await removeChannelSensor(rest, "11", "s");
    expect(sent.map(({ line }) => line)).toEqual([
      "DELETE /api/v1/controller/c",
      "DELETE /api/v1/sensor/channel/11",
      "DELETE /api/v1/sensor/channel/11/sensor/s",
    ]);
  });

  it("[controller] refreshes a channel by the controller's serial", async () => {
    const { rest, sent } = setUp(new Response("{}"));
    await refreshChannel(rest, 24110901, 11);
    expect(sent[0]?.line).toBe("GET /api/v1/controller/24110901/channel/11/refresh");
  });

  it("[controller-image] sends the picture as a file named image", async () => {
    const { rest, sent } = setUp();
    await updateControllerImage(rest, "c", new Blob(["x"], { type: "image/png" }));
    expect(sent[0]?.line).toBe("PUT /api/v1/controller/c/image");
    expect(sent[0]?.body instanceof FormData && sent[0].body.get("image")).toBeInstanceOf(Blob);
  });
});
