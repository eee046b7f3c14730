import { Farm } from "@mulkko/shared/entities/farm";
import { clusterAdd, clusterDelete, clusterList, clusterUpdate } from "@mulkko/shared/rest/operations/farms";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { parse } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Callers, listenAsRelay, type ReceivedOutput, signInAll } from "../../testing/callers.ts";
import {
  COT,
  FARMER,
  FOREIGN,
  SOIL,
  startTestFarm,
  type TestFarm,
  WEATHER,
} from "../../testing/test-farm.ts";

let farm: TestFarm;
let callers: Callers;
let received: ReceivedOutput[];
beforeAll(async () => {
  farm = await startTestFarm();
  callers = await signInAll(farm);
  received = await listenAsRelay(farm);
});
afterAll(() => farm.close());

const names = async (who?: string): Promise<string[]> =>
  (await callers.ask("GET", clusterList.path, undefined, who)).json<Farm[]>().map(({ name }) => name);

describe("[farm]", () => {
  test("[farm] a form creates a farm with the given sensors, and the relay is notified", async () => {
    const answer = await callers.form(
      "POST",
      clusterAdd.path,
      `name=${encodeURIComponent(" 딸기 2동 ")}&description=south&sensors=${SOIL.id}&sensors=${WEATHER.id}`,
    );
    expect(answer.statusCode).toBe(200);
    const made = answer.json<Farm>();
    expect(parse(Farm, made).ok).toBe(true);
    expect([made.name, made.description, made.sensors?.map(({ id }) => id)]).toEqual([
      "딸기 2동",
      "south",
      [SOIL.id, WEATHER.id],
    ]);
    expect(made.createdDate).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(made.sensors?.[0]?.createdDate).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(made.sensors?.[0]).toMatchObject({ clusterId: made.id, clusters: [{ id: made.id }] });
    await eventually(() =>
      expect(received).toContainEqual({
        topic: `mulkko/out/${FARMER}/changed`,
        body: { entity: "farm", id: made.id },
      }),
    );
    const list = await callers.ask("POST", clusterAdd.path, {
      name: "Moved",
      sensors: `${SOIL.id}, ${COT.id}`,
    });
    expect(list.json<Farm>().sensors?.map(({ id }) => id)).toEqual([SOIL.id, COT.id]);
    expect((await callers.ask("POST", clusterAdd.path, { name: "Bare", sensors: [] })).json()).toMatchObject({
      name: "Bare",
      description: "",
      sensors: [],
    });
  });

  test("[farm] a name is unique within an account, not between accounts", async () => {
    const again = await callers.form("POST", clusterAdd.path, { name: "House" });
    expect(again.json()).toMatchObject({
      status: 409,
      code: "conflict",
      errors: [{ field: "name", defaultMessage: "this name already exists" }],
    });
    expect((await callers.form("PUT", pathTo(clusterUpdate, { id: 3 }), { name: "House" })).statusCode).toBe(
      409,
    );
    const [one, two] = await Promise.all(
      [1, 2].map(() => callers.form("POST", clusterAdd.path, { name: "At once" })),
    );
    expect([one?.statusCode, two?.statusCode].sort()).toEqual([200, 409]);
    expect((await callers.form("POST", clusterAdd.path, { name: "House" }, "farmer-two")).statusCode).toBe(
      200,
    );
  });

  test("[farm] PUT and POST rename a farm", async () => {
    const put = await callers.form("PUT", pathTo(clusterUpdate, { id: 3 }), { name: "Renamed" });
    expect(put.json()).toMatchObject({ id: 3, name: "Renamed", sensors: [] });
    expect(
      (await callers.ask("POST", pathTo(clusterUpdate, { id: 3 }), { name: "Empty" })).json(),
    ).toMatchObject({
      name: "Empty",
    });
  });

  test("[farm] after its deletion, its sensors stay without a farm; DELETE works too", async () => {
    const made = await callers.ask("POST", clusterAdd.path, { name: "Gone", sensors: [SOIL.id] });
    const answer = await callers.ask("POST", pathTo(clusterDelete, { id: made.json().id }));
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    expect(await names()).not.toContain("Gone");
    const sensors = (await callers.ask("GET", sensorList.path)).json();
    expect(sensors[0]).toMatchObject({ id: SOIL.id, clusterId: 0, clusters: [] });
    const other = await callers.ask("POST", clusterAdd.path, { name: "Gone" });
    expect((await callers.ask("DELETE", pathTo(clusterDelete, { id: other.json().id }))).statusCode).toBe(
      204,
    );
  });

  test.each([
    ["a missing name", {}, 422, "name"],
    ["an empty name", { name: "" }, 422, "name"],
    ["a blank name", { name: "  " }, 422, "name"],
    ["a name that never ends", { name: "x".repeat(101) }, 422, "name"],
    ["a name that is an object", { name: { a: 1 } }, 422, "name"],
    ["sensors that are an object", { name: "A", sensors: {} }, 422, "sensors"],
    ["another's sensor", { name: "A", sensors: [FOREIGN.id] }, 404, null],
    ["a sensor that is none", { name: "A", sensors: "1; drop table cluster" }, 404, null],
  ])("[farm] %s is refused, and nothing is made", async (_case, body, status, field) => {
    const before = await names();
    const answer = await callers.ask("POST", clusterAdd.path, body);
    expect(answer.statusCode).toBe(status);
    if (field) expect(answer.json().errors[0].field).toBe(field);
    expect(await names()).toEqual(before);
  });

  test.each(["2", "99999", "nonsense", "1%20or%201=1"])(
    "[farm] %s is another's farm, or none: 404, for an administrator too",
    async (id) => {
      for (const who of ["farmer-one", "overseer"]) {
        const renamed = await callers.form("PUT", pathTo(clusterUpdate, { id }), { name: "Mine" }, who);
        const deleted = await callers.ask("POST", pathTo(clusterDelete, { id }), undefined, who);
        expect([renamed.statusCode, deleted.statusCode]).toEqual([404, 404]);
      }
      expect(await names("farmer-two")).toContain("Elsewhere");
    },
  );

  test("[farm] accepts SQL-like text as a name; an unstorable character is 422", async () => {
    const name = "Robert'); drop table cluster;--";
    expect((await callers.form("POST", clusterAdd.path, { name })).json().name).toBe(name);
    const nul = await callers.ask("POST", clusterAdd.path, { name: "a\u0000b" });
    expect(nul.json()).toMatchObject({ status: 422, code: "validation" });
  });

  test.each([
    ["POST", clusterAdd.path],
    ["PUT", pathTo(clusterUpdate, { id: 1 })],
    ["POST", pathTo(clusterDelete, { id: 1 })],
  ] as const)("[farm] %s %s without a token is 401", async (method, url) => {
    expect((await callers.ask(method, url, { name: "x" }, "nobody")).statusCode).toBe(401);
  });
});
