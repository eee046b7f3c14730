import { SensorEditPage } from "./SensorEditPage.tsx";

/** One form at three addresses, each with its own page to return to. */
export const SensorsEditPage = () => <SensorEditPage returnTo="/sensors" />;
export const IrrigationEditPage = () => <SensorEditPage returnTo="/irrigation" />;
export const MapsEditPage = () => <SensorEditPage returnTo="/maps" />;
