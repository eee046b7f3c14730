import { isMainThread } from "node:worker_threads";

/*
 * Loaded before each process that `start` and `dev` run. When the starting process is killed without a chance
 * to clean up, its channel closes. A server that stayed would keep the data folder and the ports.
 */
if (isMainThread && process.channel) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}
