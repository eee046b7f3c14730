import { AlarmBoard } from "./AlarmBoard.tsx";

/** Show the alarms in a drawer beside the page. */
export function AlarmDrawer() {
  return (
    <div className="alarm-drawer">
      <AlarmBoard />
    </div>
  );
}
