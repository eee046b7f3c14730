/**
 * Name of the Socket.IO event that asks for an acknowledgement and carries nothing else (SLOW-1): a client answers
 * by calling the event's callback. The plain door uses WebSocket pings, which every client answers by itself.
 */
export const MARKER_EVENT = "marker";
