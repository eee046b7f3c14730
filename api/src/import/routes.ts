import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { importBegin, importCancel, importProgress } from "@mulkko/shared/rest/operations/admin";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf } from "../accounts/auth.ts";
import { recordAuditEntry } from "../audit/repository.ts";
import type { Reading } from "../history/reading.ts";
import { FieldsError, notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { storeReadings } from "../ingest/reading-store.ts";
import { createImports, type Work } from "./imports.ts";
import { ImportError } from "./mapping.ts";
import type { FindDevice } from "./plan.ts";
import { checkImport, type ImportSource, runImport } from "./run.ts";
import { createReadingWriter } from "./store.ts";
import { receiveImport } from "./upload.ts";

/** Longest upload, ms; other requests have the server's own limit. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000;

const tags = ["admin"];
const documented = {
  body: Type.Object({
    file: Type.String({ format: "binary" }),
    mapping: Type.String({ description: "JSON, see docs/import-backup.md" }),
  }),
  consumes: ["multipart/form-data"],
};

/** Let administrators import readings from CSV files, one file at a time. */
export const importRoutes = fp<{ folder: string; clock: Clock }>(
  async (app: App, { folder, clock }) => {
    const { database, deviceIndex } = app;
    const onRequest = app.authenticateAdminPerson;
    const spool = join(folder, "import");
    // Files of imports interrupted by a crash.
    await rm(spool, { recursive: true, force: true });
    await mkdir(spool, { recursive: true });
    const imports = createImports(app.log.child({ part: "import" }));
    app.addHook("onClose", () => imports.stop());

    /** The server aborts long requests; an upload needs a longer limit. */
    const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
      const { requestTimeout } = app.server;
      app.server.requestTimeout = UPLOAD_TIMEOUT_MS;
      try {
        return await work();
      } finally {
        app.server.requestTimeout = requestTimeout;
      }
    };

    const findDevice: FindDevice = (serial) => deviceIndex.bySerial(serial);
    const workOn =
      (source: ImportSource): Work =>
      async (report, options) => {
        const changed = new Set<string>();
        const store = async (readings: readonly Reading[]): Promise<readonly Reading[]> => {
          const fresh = await storeReadings(database, readings);
          app.maintenance.wrote(fresh.length);
          return fresh;
        };
        const writer = createReadingWriter({ store, signal: options.signal });
        const seen: FindDevice = (serial) => {
          const device = findDevice(serial);
          if (device) changed.add(device.id);
          return device;
        };
        try {
          await runImport({ ...source, findDevice: seen }, writer, report, options);
        } finally {
          for (const id of report.readingsStored > 0 ? changed : []) {
            const device = deviceIndex.byId(id);
            if (device) app.ingest.outputs.changed(device.accountId, "sensor", id);
          }
        }
      };

    const begin = async (request: Parameters<typeof receiveImport>[0]): Promise<string> => {
      const { account: actor } = callerOf(request);
      imports.reserve();
      let path: string | undefined;
      try {
        const { file, mapping } = await patiently(() => receiveImport(request, spool));
        path = file.path;
        const source = { path, mapping, findDevice, clock };
        await checkImport(source);
        const id = randomUUID();
        const subject = { kind: "import", id, name: file.name };
        const entry = { actor, action: "import-start", subject, after: { bytes: file.bytes } };
        await recordAuditEntry(database, entry, clock.now());
        imports.begin(id, file, workOn(source));
        return id;
      } catch (error) {
        imports.release();
        if (path) await rm(path, { force: true });
        if (!(error instanceof ImportError)) throw error;
        throw new FieldsError([{ field: error.field, defaultMessage: error.message }]);
      }
    };

    app.route({
      ...routeOf(importBegin, {
        tags,
        summary: "Import readings from a CSV file: multipart fields file (200 MiB) and mapping (JSON)",
      }),
      config: { documented },
      onRequest,
      handler: async (request, reply) => reply.code(202).send({ id: await begin(request) }),
    });

    app.route({
      ...routeOf(importProgress, {
        tags,
        summary: "Return the progress of an import, and its report; kept until the next start",
      }),
      onRequest,
      handler({ params }) {
        const progress = imports.find(params.id);
        if (!progress) throw notFound("import");
        return progress;
      },
    });

    app.route({
      ...routeOf(importCancel, { tags, summary: "Cancel an import; what it has stored stays" }),
      onRequest,
      async handler(request) {
        const { id } = request.params;
        const found = imports.find(id);
        if (!found) throw notFound("import");
        await imports.cancel(id);
        if (found.state === "running") {
          const subject = { kind: "import", id, name: found.file };
          await recordAuditEntry(
            database,
            { actor: callerOf(request).account, action: "import-cancel", subject },
            clock.now(),
          );
        }
        return imports.find(id) ?? found;
      },
    });
  },
  { name: "import", dependencies: ["database", "broker", "auth", "image", "errors"] },
);
