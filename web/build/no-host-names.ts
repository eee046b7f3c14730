/**
 * Stands in for TypeBox's check of host names, 5 kB of Unicode tables, in browsers: no schema has such a
 * format.
 */
export function IsHostname(): never {
  throw new Error("the client's build has no check of host names");
}

export { IsHostname as IsIdnHostname };
