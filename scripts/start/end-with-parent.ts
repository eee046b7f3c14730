import { isMainThread } from "node:worker_threads";

/*
 * Loaded before each process that `start` and `dev` run. When the starting process is killed without a chance
 * to say goodbye, its channel closes; a server that stayed would go on holding the data folder and the ports.
 */
if (isMainThread && process.channel) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}
