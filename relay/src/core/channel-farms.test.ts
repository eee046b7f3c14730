import { describe, expect, it } from "vitest";
import { farmsOfChannels } from "./channel-farms.ts";

const farm = (id: number, sensorIds: (string | number)[]) => ({
  info: { id, name: `Farm ${id}`, description: null, sensorIds },
});

describe("the farms of a channel", () => {
  it("[WAT-2] are those of its controller's sensors, whichever channel they sit on", () => {
    const farms = farmsOfChannels({
      "farm:1": farm(1, ["s1"]),
      "farm:2": farm(2, ["s2", "s3"]),
      "channel:11": { controllerId: "c1", sensorIds: ["s1"] },
      "channel:12": { controllerId: "c1", sensorIds: [] },
      "channel:21": { controllerId: "c2", sensorIds: ["s2"] },
    });
    expect(["11", "12", "21", "99"].map((id) => farms.of(`channel:${id}`))).toEqual([
      ["1"],
      ["1"],
      ["2"],
      [],
    ]);
  });

  it("[WAT-2] is the one that the controller names, where the API knows that", () => {
    const farms = farmsOfChannels({
      "farm:1": farm(1, ["s1"]),
      "controller:c1": { info: { id: "c1", serial: 1, clusterId: 7 } },
      "channel:11": { controllerId: "c1", sensorIds: ["s1"] },
    });
    expect(farms.of("channel:11")).toEqual(["7"]);
  });

  it("[WAT-2] of a COT sensor's channel are the sensor's own", () => {
    const farms = farmsOfChannels({
      "farm:3": farm(3, [42]),
      "channel:42:1": { controllerId: 42, sensorIds: [] },
    });
    expect(farms.of("channel:42:1")).toEqual(["3"]);
  });
});
