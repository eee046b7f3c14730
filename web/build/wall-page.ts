import type { Plugin } from "vite";

/** True for an address of the wall, which has a page of its own (`wall.html`). */
const isWallAddress = (url: string): boolean => /^\/wall(\/|\?|$)/.test(url);

/** Serves the wall's page under the development server, as the relay does for the built client. */
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
