import { createHash } from "node:crypto";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** `pnpm dev` starts the relay on this port too. */
const RELAY = `http://localhost:${process.env.PORT ?? 8080}`;

/** Paths that belong to the relay; everything else is the client's. */
const relayPaths = ["/api", "/relay", "/images", "/health", "/version.json"];

/** Names this build, so that a screen left open can tell that a newer one is served (HS-4). */
const buildId = () =>
  process.env.BUILD_ID ?? createHash("sha256").update(`${Date.now()}`).digest("hex").slice(0, 12);

export default defineConfig(({ command }) => {
  const build = command === "build" ? buildId() : "dev";
  return {
    plugins: [
      react(),
      {
        name: "mulkko-version",
        apply: "build",
        generateBundle() {
          this.emitFile({ type: "asset", fileName: "version.json", source: JSON.stringify({ build }) });
        },
      },
    ],
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
      // A font or image as a data: URL would be refused by the content security policy.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: "chart", test: /node_modules[\\/](lightweight-charts|fancy-canvas)/ },
              {
                name: "react",
                test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/,
              },
              {
                name: "chakra",
                test: /node_modules[\\/](@chakra-ui|@ark-ui|@zag-js|@emotion|@pandacss|@floating-ui|@internationalized|stylis)/,
              },
            ],
          },
        },
      },
    },
  };
});
