import type { Plugin } from "vite";

const NAME = "virtual:system.css";
const ID = `\0${NAME}`;

/** Serve the design system's global styles as a separate style sheet: no browser has to generate them. */
export const systemCssPlugin = (): Plugin => ({
  name: "mulkko-system-css",
  resolveId: (id) => (id === NAME ? ID : null),
  async load(id) {
    if (id !== ID) return null;
    const { systemCss } = await import("./system-css.ts");
    return systemCss();
  },
});
