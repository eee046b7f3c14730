import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { pathSpelling } from "../../testing/path-spellings.ts";
import { accountLogout } from "./account.ts";
import { controllerCommand, controllerRead, controllerUpdate } from "./controllers.ts";
import { cotLog, logRange } from "./logs.ts";
import { mostTolerantReading, partsOf } from "./normal-path.ts";
import { type Operation, pathTo } from "./operation.ts";
import { sensorDelete, sensorList } from "./sensors.ts";
import { administeredBy, changedKindsOf, matchCall, OPERATIONS } from "./table.ts";

const seed = Number(process.env.FUZZ_SEED ?? 20261128);
const numRuns = Number(process.env.FUZZ_RUNS ?? 10_000);

/** Return the path of a row with an id for each parameter. */
const example = ({ path }: Operation): string => path.replaceAll(/:\w+/g, "41");
const isGrave = ({ removes, ends, commands, answeredByRelay }: Operation): boolean =>
  removes !== undefined || ends !== undefined || commands !== undefined || answeredByRelay === true;

describe("the table of calls", () => {
  it("[PATH-1] matches each call with its own row, by every method of the row", () => {
    for (const operation of OPERATIONS) {
      for (const method of operation.methods) {
        const call = matchCall(method, `${example(operation)}?page=1`);
        expect([operation.path, call?.operation?.path, call?.isAccepted]).toEqual([
          operation.path,
          operation.path,
          true,
        ]);
        expect(call?.operation).toBe(operation);
      }
    }
  });

  it("[PATH-1] accepts a method of a path in one row only", () => {
    const calls = OPERATIONS.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`));
    expect(new Set(calls).size).toBe(calls.length);
  });

  it("[CMD-15] names the removed thing and the ended access for every method, also an unusual one", () => {
    for (const operation of OPERATIONS.filter(({ removes, ends }) => removes ?? ends)) {
      const [first] = operation.methods;
      const shared = OPERATIONS.filter(({ path }) => path === operation.path).length > 1;
      for (const method of shared ? operation.methods : ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
        expect(matchCall(method, example(operation))?.consequence).toEqual(
          matchCall(first, example(operation))?.consequence,
        );
      }
      expect(matchCall(first, example(operation))?.consequence).not.toBeNull();
    }
  });

  test.each([
    ["DELETE", "/api/v1/sensor/41", { kind: "named-devices", ids: ["41"] }, ["sensor", "farm"]],
    [
      "POST",
      "/api/v1/sensor/remove/41",
      { kind: "named-devices", ids: ["remove", "41"] },
      ["sensor", "farm"],
    ],
    ["DELETE", "/api/v1/controller/41/channel/2", { kind: "named-devices" }, ["controller", "channel"]],
    ["DELETE", "/api/v1/admin/controller/41", { kind: "any-device", ids: ["41"] }, ["controller", "channel"]],
    ["DELETE", "/api/v1/admin/users/7", { kind: "access", accountIds: ["7"], what: "account" }, ["sensor"]],
    ["DELETE", "/api/account", { kind: "access", accountIds: null, what: "account" }, []],
    ["DELETE", "/api/v1/admin/devices/41", { kind: "any-device", ids: ["41"] }, ["sensor", "controller"]],
    ["POST", "/api/v1/sensor/deleteAll", { kind: "named-devices" }, ["sensor", "farm"]],
    ["POST", "/api/v1/controller/all/bulk-remove", { kind: "named-devices" }, ["controller", "channel"]],
    [
      "POST",
      "/api/v1/admin/user/disable/7",
      { kind: "access", accountIds: ["disable", "7"], what: "unknown" },
      ["sensor"],
    ],
    ["PATCH", "/api/account/deactivate", { kind: "access", accountIds: null, what: "unknown" }, []],
    ["PATCH", "/api/v1/sensor/41/name", null, ["sensor", "farm"]],
  ])("[CMD-15] treats the unknown call %s %s as its family's", (method, path, consequence, changes) => {
    const call = matchCall(method, path);
    expect(call?.operation).toBeNull();
    if (consequence === null) expect(call?.consequence).toBeNull();
    else expect(call?.consequence).toMatchObject(consequence);
    expect(call?.changes).toEqual(expect.arrayContaining(changes));
  });

  it("[POLL-8] names what a write to a path changes, and the account that an administrator's path names", () => {
    expect(changedKindsOf(pathTo(sensorDelete, { id: 41 }))).toEqual(["sensor", "farm"]);
    expect(changedKindsOf("/api/v1/controller/cmd?x=1")).toEqual(["channel"]);
    expect(changedKindsOf("/api/v1/capabilities")).toEqual([]);
    expect(administeredBy("/api/v1/admin/user/update/a%20b")).toEqual({ accountId: "a b" });
    expect(administeredBy("/api/v1/admin/sensor/add")).toEqual({ accountId: null });
    expect(administeredBy("/api/v1/sensor/add")).toBeNull();
  });
});

describe("one spelling of a path", () => {
  it("[PATH-1] accepts what a parameter needs: blanks, colons, letters of any script", () => {
    const start = "2026-11-01 06:00";
    for (const path of [
      pathTo(logRange, { id: "고추밭", start, end: start }),
      pathTo(cotLog, { id: 4, channel: 1, start, end: start }),
      "/api/v1/sensor/read/log/4/2026-11-01%2006:00/2026-11-02",
      pathTo(controllerRead, { id: "a b" }),
      "/api/v1/sensor/list?q=%2e%2e/%5c//;x",
    ]) {
      expect([path, matchCall("GET", path)?.isAccepted]).toEqual([path, true]);
    }
  });

  test.each([
    ["/api/v1/controller/cmd/"],
    ["/api/v1/controller/cmd/?x=1"],
    ["/api/v1/controller/./cmd"],
    ["/api/v1/controller\\cmd"],
    ["/api/v1//controller/cmd"],
    ["/api/v1/sensor/../controller/cmd"],
    ["/api/v1/controller/%63md"],
    ["/api/v1/controller%2Fcmd"],
    ["/api/v1/controller/cmd;a=b"],
    ["/api/v1/controller/cmd%3Ba"],
    ["/api/v1/controller/cmd#x"],
    ["/api/v1/controller/CMD"],
    ["/api/v1/controller/cmd.json"],
    ["/api/v1/controller/cmd%20"],
    ["/api/v1/controller/%EF%BD%83md"],
    ["/api/v1/controller/%2563md"],
    ["/api/v1/controller/%c0%ae/cmd"],
    ["http://farm/api/v1/controller/cmd"],
    ["//api/v1/controller/cmd"],
  ])("[PATH-1] refuses %s", (target) => {
    expect(matchCall("POST", target)).toBeNull();
    expect(matchCall("POST", "/api/v1/controller/cmd")?.operation).toBe(controllerCommand);
  });

  it("[PATH-1] refuses an id that servers read as another number, where it decides what is closed", () => {
    for (const id of ["041", "+41", "41.0", "0x29", "41e0", "４１"]) {
      expect(matchCall("DELETE", `/api/v1/sensor/delete/${encodeURIComponent(id)}`)).toBeNull();
    }
    expect(matchCall("DELETE", "/api/v1/sensor/delete/12345678901234567890")).not.toBeNull();
    expect(matchCall("PUT", "/api/v1/controller/041")?.operation).toBe(controllerUpdate);
  });

  it("[PATH-1] refuses any other spelling of a call with consequences, or matches the same row", () => {
    const graves = OPERATIONS.filter(isGrave).flatMap((row) =>
      row.methods.map((method) => ({ row, method })),
    );
    fc.assert(
      fc.property(fc.constantFrom(...graves), pathSpelling, ({ row, method }, spell) => {
        const target = spell(example(row));
        const call = matchCall(method, target);
        // A changed id is another thing, or the same one in the comparison that closes valves.
        if (call !== null) expect([target, call.operation?.path]).toEqual([target, row.path]);
      }),
      { seed, numRuns },
    );
  });

  it("[PATH-1] accepts each path in normal form, and reads it as every server does", () => {
    const part = fc
      .string({ minLength: 1, maxLength: 12 })
      .filter((text) => !/^\.+$/.test(text.normalize("NFKC")));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const target = `/${parts.map(encodeURIComponent).join("/")}`;
        const read = partsOf(target);
        const isPlain = parts.every(
          (text) => text === text.trim() && !/[/\\;\p{Cc}]|%[\da-f]{2}/iu.test(text.normalize("NFKC")),
        );
        expect(read).toEqual(isPlain ? parts : null);
        const tolerant = mostTolerantReading(`/${parts.map((text) => text.toLowerCase()).join("/")}`);
        if (isPlain && parts.every((text) => /^\w+$/.test(text))) expect(tolerant).toBe(target.toLowerCase());
      }),
      { seed, numRuns: numRuns / 10 },
    );
  });

  test("[PATH-1] a log-out and a list have no second spelling either", () => {
    for (const { path } of [accountLogout, sensorList]) {
      expect(matchCall("GET", `${path}/`)).toBeNull();
      expect(matchCall("GET", path.toUpperCase())).toBeNull();
    }
  });
});
