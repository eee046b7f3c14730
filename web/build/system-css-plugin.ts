import type { Plugin } from "vite";

const NAME = "virtual:system.css";
const ID = `\0${NAME}`;

/** Serves what the design system writes into every page as a style sheet of its own: no browser has to make it. */
export const systemCssPlugin = (): Plugin => ({
  name: "mulkko-system-css",
  resolveId: (id) => (id === NAME ? ID : null),
  async load(id) {
    if (id !== ID) return null;
    const { systemCss } = await import("./system-css.ts");
    return systemCss();
  },
});
