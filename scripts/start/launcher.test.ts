import { expect, test } from "vitest";
import { launchersAmong } from "./launcher.ts";

const NPX = "npm exec pnpm@12 start";
const PNPM = "pnpm start";
const TRAP = "sh -c trap 'x' INT; node scripts/start.ts";

/** Chains of commands above `start`, the nearest first, and how many of them have launched it. */
const CHAINS: readonly (readonly [string, readonly string[], number])[] = [
  ["npx in a person's shell", [TRAP, PNPM, "sh -c 'pnpm' start", NPX, "-bash", "sshd: kim", "/sbin/init"], 4],
  [
    "npx run by Node",
    ["sh -c x", "node /usr/lib/pnpm.cjs start", "node /usr/bin/npx -y pnpm@12 start", "zsh"],
    3,
  ],
  ["pnpm of a service manager", [TRAP, "/usr/local/bin/pnpm start", "/usr/bin/python3 supervisord"], 2],
  [
    "a script that runs npx",
    [TRAP, PNPM, "sh -c 'pnpm' start", NPX, "bash -c npx -y pnpm@12 start & sleep 9"],
    4,
  ],
  ["a container", [TRAP, PNPM], 2],
  ["Node itself in a shell", ["bash", "login"], 0],
  ["Node itself of a service manager", ["/usr/lib/systemd/systemd --user"], 0],
  ["an editor that has a file of such a name open", ["vim /home/kim/pnpm"], 0],
  ["nothing above", [], 0],
];

test.each(CHAINS)("[start] knows what has launched it: %s", (_name, commands, count) => {
  const chain = commands.map((command, at) => ({ pid: 100 + at, command }));
  expect(launchersAmong(chain)).toEqual(chain.slice(0, count));
});
