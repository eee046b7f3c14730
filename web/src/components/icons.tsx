import { createLucideIcon } from "lucide-react";

/** A gate valve. */
export const ValveIcon = createLucideIcon("valve", [
  ["path", { d: "M4 9.5v8l8-4 8 4v-8l-8 4zM12 13.5V6M8.5 6h7", key: "valve" }],
]);

/** A drop of water. */
export const DropIcon = createLucideIcon("drop", [
  ["path", { d: "M12 3.5c3.6 4.2 5.8 7.3 5.8 10.3a5.8 5.8 0 1 1-11.6 0c0-3 2.2-6.1 5.8-10.3z", key: "drop" }],
]);
