/** Name of this build of the client; `dev` under the development server and in tests. */
export const BUILD: string = typeof __BUILD_ID__ === "undefined" ? "dev" : __BUILD_ID__;
