import { createHash } from "node:crypto";
import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Rolldown } from "vite";
import { compression } from "vite-plugin-compression2";
import { VitePWA } from "vite-plugin-pwa";
import { firstChunks } from "./build/first-chunks.ts";
import { FIRST_OFFLINE, filesAtOnce, inTwoSteps } from "./build/offline-files.ts";
import { wallPage } from "./build/wall-page.ts";

/** `pnpm dev` starts the relay on this port too. */
const RELAY = `http://localhost:${process.env.PORT ?? 8080}`;

/** Paths of the relay; all others belong to the client. */
const relayPaths = ["/api", "/relay", "/images", "/health", "/version.json"];

/** Return a name for this build: an open screen detects by it that a newer one is served (HS-4). */
const buildId = () =>
  process.env.BUILD_ID ?? createHash("sha256").update(`${Date.now()}`).digest("hex").slice(0, 12);

const placeOf = firstChunks(
  resolve(import.meta.dirname, "src/main.tsx"),
  resolve(import.meta.dirname, "src/wall/main.tsx"),
);
const firstPlace = (id: string, context: Rolldown.ChunkingContext) =>
  placeOf(id, (module) => context.getModuleInfo(module));

export default defineConfig(({ command }) => {
  const build = command === "build" ? buildId() : "dev";
  const firstOffline = new Set<string>();
  return {
    plugins: [
      react(),
      wallPage(),
      {
        // The package offers its development files to every bundler: they carry warnings for developers.
        name: "mulkko-production-router",
        apply: "build",
        enforce: "pre",
        async resolveId(source, importer, options) {
          if (!/^react-router(\/dom)?$/.test(source)) return null;
          const found = await this.resolve(source, importer, { ...options, skipSelf: true });
          return found && { ...found, id: found.id.replace("/dist/development/", "/dist/production/") };
        },
      },
      {
        name: "mulkko-version",
        apply: "build",
        generateBundle() {
          this.emitFile({ type: "asset", fileName: "version.json", source: JSON.stringify({ build }) });
        },
      },
      {
        // The client sends calls by their methods and path. Schemas and effects are read by the servers alone:
        // its own readers parse the answers.
        name: "mulkko-calls-by-method-and-path",
        apply: "build",
        enforce: "pre",
        transform(code, id) {
          if (!/shared\/src\/rest\/operations\/(?!operation\.ts)[\w-]+\.ts$/.test(id)) return null;
          const rows = code
            .replace(/^import (?!type )[^;]*;$/gm, "")
            .replace(/^ {2}(?!methods:|path:)\w+: .*,$/gm, "");
          return { code: rows, map: null };
        },
      },
      {
        name: "mulkko-first-offline",
        apply: "build",
        generateBundle(_options, bundle) {
          const chunks = Object.values(bundle).flatMap((file) =>
            file.type === "chunk"
              ? [[file.fileName, { ...file, styles: [...(file.viteMetadata?.importedCss ?? [])] }] as const]
              : [],
          );
          for (const file of filesAtOnce(FIRST_OFFLINE, new Map(chunks))) firstOffline.add(file);
        },
      },
      VitePWA({
        strategies: "injectManifest",
        srcDir: "worker",
        filename: "worker.ts",
        injectRegister: false,
        manifest: false,
        injectManifest: {
          rollupFormat: "iife",
          // Fonts are cached on use, an Excel file needs the network, and a wall does not use the worker.
          globPatterns: ["index.html", "assets/*.{js,css,json,geojson}"],
          globIgnores: ["assets/xlsx-*", "assets/wall-????????.*"],
          manifestTransforms: [
            async (entries) => ({ manifest: inTwoSteps(entries, firstOffline), warnings: [] }),
          ],
        },
      }),
      // Compressed once, served many times. Browsers accept Brotli over HTTPS only; in a farm's own network the
      // relay uses HTTP. A file below a kilobyte takes the same number of packets either way, and the pages
      // are served from memory.
      compression({
        include: /\.(js|css|svg|json|geojson|webmanifest)$/,
        threshold: 1_024,
        algorithms: ["brotliCompress", "gzip"],
        logLevel: "silent",
      }),
    ],
    resolve: {
      // TypeBox's own path to its text formats.
      alias: [
        {
          find: /^\.\.\/\.\.\/format\/index\.mjs$/,
          replacement: resolve(import.meta.dirname, "build/no-formats.ts"),
        },
        {
          find: "hoist-non-react-statics",
          replacement: resolve(import.meta.dirname, "build/no-hoisting.ts"),
        },
      ],
    },
    define: { __BUILD_ID__: JSON.stringify(build) },
    server: {
      port: 5173,
      proxy: {
        ...Object.fromEntries(relayPaths.map((path) => [path, { target: RELAY }])),
        "/socket.io": { target: RELAY, ws: true },
        "/live": { target: RELAY, ws: true },
      },
    },
    build: {
      target: "es2022",
      // The content security policy refuses a font or image as a data: URL.
      assetsInlineLimit: 0,
      // Every supported browser knows it, or loads the files a moment later.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // The wall is a separate client: a cheap television loads nothing of the other one.
        input: ["index.html", "wall.html"],
        // Building a schema has no effect: one that no code of the client uses is left out.
        treeshake: { manualPureFunctions: ["Type", "Nullable"] },
        output: {
          codeSplitting: {
            groups: [
              { name: "chart", test: /node_modules[\\/](lightweight-charts|fancy-canvas)/ },
              { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
              // Modules that the desktop client imports statically and the wall dynamically; the wall must
              // not load the rest.
              {
                name: (id, context) => (firstPlace(id, context) === "shared" ? "shared" : null),
                tags: ["$initial"],
              },
              // One file for the first render; by default there would be forty.
              { name: firstPlace, tags: ["$initial"] },
            ],
          },
        },
      },
    },
  };
});
