import type { Plugin } from "vite";

/** Return true for an address of the wall, which has a separate page (`wall.html`). */
const isWallAddress = (url: string): boolean => /^\/wall(\/|\?|$)/.test(url);

/** Serve the wall's page on the development server, as the relay does for the built client. */
export const wallPage = (): Plugin => ({
  name: "mulkko-wall",
  apply: "serve",
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      if (request.url !== undefined && isWallAddress(request.url)) request.url = "/wall.html";
      next();
    });
  },
});
