import { DatabaseError, UNIQUE_VIOLATION } from "../database/database.ts";
import { ApiError, FieldsError } from "../http/api-error.ts";
import { DRIVER_NAMES, type DriverName } from "./driver.ts";

/** How a controller's valves are spoken to, as it is stored. */
export interface StoredDriver {
  readonly driver: DriverName;
  readonly address: string | null;
}

export const NATIVE: StoredDriver = { driver: "native", address: null };

const isDriverName = (name: string): name is DriverName => DRIVER_NAMES.some((one) => one === name);

/** Letters, digits and a few marks: nothing that splits a topic or stands for several. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/;
/** First words of topics that are somebody else's. */
const TAKEN = /^(mulkko|cmnd|stat|tele|tasmotas?|shellies|application|v3|homeassistant)$/i;
const OTHER_ORDER = "/%prefix%";

function addressFault(driver: DriverName, address: string | null): string | null {
  if (address === null) return "the valves' address is required";
  const name =
    driver === "tasmota" && address.endsWith(OTHER_ORDER) ? address.slice(0, -OTHER_ORDER.length) : address;
  return NAME.test(name) && !TAKEN.test(name)
    ? null
    : "the address is one word of a topic: letters, digits, - _ . :";
}

/**
 * The driver and address of a body; what it leaves out stays.
 *
 * @throws FieldsError for a driver that is not known, or an address that is none
 */
export function driverOfBody(
  body: { readonly driver?: string | null | undefined; readonly address?: string | null | undefined },
  stored: StoredDriver,
): StoredDriver {
  const driver = body.driver?.trim() || stored.driver;
  if (!isDriverName(driver)) {
    throw new FieldsError([
      { field: "driver", defaultMessage: `the driver is one of ${DRIVER_NAMES.join(", ")}` },
    ]);
  }
  if (driver === "native") return { driver, address: null };
  const address = body.address === undefined ? stored.address : body.address?.trim() || null;
  const fault = addressFault(driver, address);
  if (fault) throw new FieldsError([{ field: "address", defaultMessage: fault }]);
  return { driver, address };
}

/** Waits for the writing of a controller. @throws ApiError 409 for an address that another controller's valves have */
export async function ownAddress(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error;
    throw new ApiError(409, "conflict", "another controller's valves have this address", {
      field: "address",
    });
  }
}
