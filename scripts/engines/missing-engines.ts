import { dockerAnswers } from "@mulkko/testing/engines/docker";
import { locateEngines } from "@mulkko/testing/engines/locate";

export interface MissingEngine {
  /** Name for people. */
  readonly name: string;
  /** Debian packages that contain it. */
  readonly packages: readonly string[];
}

/**
 * Purpose of the engines: the fault tests run the balancer, and the broker with its own start script, on this
 * machine.
 */
export type EngineUse = "tests" | "faults";

/**
 * Return the engines that the tests need and this machine lacks. Servers can also run in Docker; clients and
 * browsers cannot.
 */
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
