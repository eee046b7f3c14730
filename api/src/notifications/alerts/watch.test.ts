import { startPostgres } from "@mulkko/testing/engines/postgres";
import { afterAll } from "vitest";
import { alertsSuite } from "./alerts.suite.ts";

const server = await startPostgres();
afterAll(() => server.stop());

alertsSuite("pglite", async () => ({}));
alertsSuite("postgres", async () => ({ DATABASE_URL: server.url }));
