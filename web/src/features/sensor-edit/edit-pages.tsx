import { SensorEditPage } from "./SensorEditPage.tsx";

/** One form at three addresses: each leads back to where it was opened. */
export const SensorsEditPage = () => <SensorEditPage returnTo="/sensors" />;
export const IrrigationEditPage = () => <SensorEditPage returnTo="/irrigation" />;
export const MapsEditPage = () => <SensorEditPage returnTo="/maps" />;
