import { dockerAnswers } from "@mulkko/e2e/engines/docker";
import { locateEngines } from "@mulkko/e2e/engines/locate";

export interface MissingEngine {
  /** As a person calls it. */
  readonly name: string;
  /** Debian packages that bring it. */
  readonly packages: readonly string[];
}

/** Whose engines are meant: the faults run the balancer, and the broker with its own start script, on this machine. */
export type EngineUse = "tests" | "faults";

/** What the tests need and this machine lacks. Servers also come out of Docker; clients and browsers do not. */
export const missingEngines = async (use: EngineUse = "tests"): Promise<MissingEngine[]> => {
  const paths = locateEngines();
  const docker = await dockerAnswers();
  const needs = [
    { name: "Redis", packages: ["redis-server"], isThere: docker || paths.redisServer !== null },
    {
      name: "Mosquitto",
      packages: ["mosquitto"],
      isThere: (use === "tests" && docker) || paths.mosquitto !== null,
    },
    {
      name: "mosquitto_pub and mosquitto_sub",
      packages: ["mosquitto-clients"],
      isThere: paths.mosquittoPub !== null && paths.mosquittoSub !== null,
    },
    { name: "PostgreSQL", packages: ["postgresql"], isThere: docker || paths.postgres !== null },
    { name: "Chromium", packages: ["chromium"], isThere: paths.chromium !== null },
    { name: "HAProxy", packages: ["haproxy"], isThere: use === "tests" || paths.haproxy !== null },
  ];
  return needs.filter(({ isThere }) => !isThere).map(({ name, packages }) => ({ name, packages }));
};
