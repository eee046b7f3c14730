import type { LogoutCheck } from "@mulkko/shared/rest/watch";
import { newCommandId } from "../../api/commands.ts";
import type { Session } from "../../api/session.ts";
import type { Outbox } from "./outbox.ts";

type ClosedValves = LogoutCheck["closesFirst"];

/** Store and send the close of a valve that the logout closes. Return its id; none from an older relay. */
function storeClose(outbox: Outbox, valve: ClosedValves[number]): string[] {
  const { channelId, name, number, controllerId, form } = valve;
  if (controllerId === undefined || form === undefined || number === null) return [];
  const commandId = newCommandId();
  // Without the time of the press it is carried out whenever it arrives.
  void outbox.close({ commandId, form, controllerId, number, pressed: null }, { channelId, name });
  return [commandId];
}

/**
 * Close valves, and log out (CMD-15). The closes are stored first: the valves are closed also if the log-out never
 * arrives (CMD-8).
 *
 * @param outbox of the signed-in account; null without one
 * @throws as {@link Session.logoutAfterClosing}; the user is then still signed in
 */
export async function logOutAfterClosing(
  outbox: Outbox | null,
  session: Pick<Session, "logoutAfterClosing">,
  valves: ClosedValves,
): Promise<void> {
  const closes = outbox === null ? [] : valves.flatMap((valve) => storeClose(outbox, valve));
  await session.logoutAfterClosing();
  // The relay has passed the log-out on because the valves are closed.
  for (const id of closes) outbox?.takeBack(id);
}
