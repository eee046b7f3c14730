/** Administrators' address; opening it ends the viewing. */
export const ADMIN_PATH = "/adminpage";
