import { AlarmBoard } from "./AlarmBoard.tsx";

/** The alarms in a sheet beside the page. */
export function AlarmDrawer() {
  return (
    <div className="alarm-drawer">
      <AlarmBoard />
    </div>
  );
}
