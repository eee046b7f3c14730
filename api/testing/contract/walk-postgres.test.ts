import { startPostgres } from "@mulkko/testing/engines/postgres";
import { afterAll } from "vitest";
import { startTestFarm } from "../test-farm.ts";
import { contractWalk } from "./walk.suite.ts";

const server = await startPostgres();
afterAll(() => server.stop());

await contractWalk("PostgreSQL", await startTestFarm({ DATABASE_URL: server.url }));
