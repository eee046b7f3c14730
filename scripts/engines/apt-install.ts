import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { findBinary } from "@mulkko/testing/engines/find-binary";

/** Debian runs this script to decide if a freshly installed service may start. */
const POLICY = "/usr/sbin/policy-rc.d";
const FORBIDDEN_BY_POLICY = "#!/bin/sh\nexit 101\n";

/** Return true if packages can be installed without a password: root on Debian or a derivative. */
export const canInstall = (): boolean => process.getuid?.() === 0 && findBinary(["apt-get"]) !== null;

const apt = async (args: readonly string[]): Promise<void> => {
  const child = spawn("apt-get", ["-q", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code]: unknown[] = await once(child, "exit");
  if (code !== 0) throw new Error(`apt-get ${args.join(" ")} ended with ${String(code)}`);
};

/**
 * Install Debian packages without starting their services: the system's own Mosquitto would occupy our port.
 *
 * @throws Error when apt-get fails
 */
export const aptInstall = async (packages: readonly string[]): Promise<void> => {
  const hasPolicy = existsSync(POLICY);
  if (!hasPolicy) await writeFile(POLICY, FORBIDDEN_BY_POLICY, { mode: 0o755 });
  try {
    await apt(["update"]);
    await apt(["install", "-y", "--no-install-recommends", ...packages]);
  } finally {
    if (!hasPolicy) await rm(POLICY, { force: true });
  }
};
