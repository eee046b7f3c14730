/**
 * Name of the Socket.IO event that only asks for an acknowledgement (SLOW-1): a client answers by calling the
 * event's callback. The WebSocket transport uses pings, which every client answers by itself.
 */
export const MARKER_EVENT = "marker";
