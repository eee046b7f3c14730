/** Marks a file in the worker's list that is stored after the worker is installed. */
export const LATER = "later";
