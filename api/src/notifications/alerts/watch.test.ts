import { startPostgres } from "@mulkko/e2e/engines/postgres";
import { afterAll } from "vitest";
import { alertsSuite } from "./alerts.suite.ts";

const server = await startPostgres();
afterAll(() => server.stop());

alertsSuite("pglite", async () => ({}));
alertsSuite("postgres", async () => ({ DATABASE_URL: server.url }));
