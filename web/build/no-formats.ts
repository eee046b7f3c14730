const missing = (): never => {
  throw new Error("TypeBox's text formats are not in the client: see vite.config.ts");
};

/** Stands in for TypeBox's text formats, in browsers: 5 kB of addresses and host names that no schema uses. */
export const Format = { Has: missing, Get: missing, Test: missing };
