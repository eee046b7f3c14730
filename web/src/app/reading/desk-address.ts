/** The administrators' desk: who goes there is themselves again. */
export const DESK = "/adminpage";
