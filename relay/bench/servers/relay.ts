/** Run the whole relay in a process that answers a benchmark's requests. Its settings are its environment. */
import { machineMs } from "@mulkko/testing/bench/figures";
import { build } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { answerParent } from "../child.ts";
import { ServerQuestion } from "./messages.ts";
import { cpuMs, memoryInUse } from "./process-figures.ts";

const started = (async () => {
  const app = await build(readConfig(process.env));
  const origin = await app.server.listen({ host: "127.0.0.1", port: 0 });
  return { ...app, port: Number(new URL(origin).port) };
})();
let writes: number[] = [];

answerParent(ServerQuestion, async (question) => {
  const { server, services, port } = await started;
  switch (question.do) {
    case "listen":
      return { port };
    case "name":
      return { id: services.owners.stats().node };
    case "close":
      await server.close();
      return {};
    case "cpu":
      return { ms: cpuMs() };
    case "memory":
      return memoryInUse();
    case "note-writes": {
      const proof = await services.prover.prove("token-0");
      if (!proof.ok) throw new Error("the farm API does not know the account");
      const viewer = await services.owners.view(proof.proven, "token-0");
      // Listeners are called in the order of their registration: this one after every session.
      viewer.devices.listen(() => writes.push(machineMs()));
      return {};
    }
    case "writes": {
      const at = writes;
      writes = [];
      return { at };
    }
    case "prepare":
    case "send":
      throw new Error("the relay sends only what it receives");
  }
});
