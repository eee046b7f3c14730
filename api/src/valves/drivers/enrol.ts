import { DatabaseError, UNIQUE_VIOLATION } from "../../database/database.ts";
import { DRIVER_NAMES, type DriverName } from "../../devices/device-index.ts";
import { ApiError, FieldsError } from "../../http/api-error.ts";

/** Stored driver and address of a controller's valves. */
export interface StoredDriver {
  readonly driver: DriverName;
  readonly address: string | null;
}

export const NATIVE: StoredDriver = { driver: "native", address: null };

const isDriverName = (name: string): name is DriverName => DRIVER_NAMES.some((one) => one === name);

/** Letters, digits and a few marks: no topic separators or wildcards. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/;
/** First levels of topics that are reserved for others. */
const TAKEN = /^(mulkko|cmnd|stat|tele|tasmotas?|shellies|application|v3|homeassistant)$/i;
const OTHER_ORDER = "/%prefix%";

function addressFault(driver: DriverName, address: string | null): string | null {
  if (address === null) return "the device address is required";
  const name =
    driver === "tasmota" && address.endsWith(OTHER_ORDER) ? address.slice(0, -OTHER_ORDER.length) : address;
  return NAME.test(name) && !TAKEN.test(name)
    ? null
    : "the address must be one topic level of letters, digits and - _ . :";
}

/**
 * Return the driver and address of a body; missing values stay unchanged.
 *
 * @throws FieldsError for an unknown driver or an invalid address
 */
export function driverOfBody(
  body: { readonly driver?: string | null | undefined; readonly address?: string | null | undefined },
  stored: StoredDriver,
): StoredDriver {
  const driver = body.driver?.trim() || stored.driver;
  if (!isDriverName(driver)) {
    throw new FieldsError([
      { field: "driver", defaultMessage: `the driver must be one of ${DRIVER_NAMES.join(", ")}` },
    ]);
  }
  if (driver === "native") return { driver, address: null };
  const address = body.address === undefined ? stored.address : body.address?.trim() || null;
  const fault = addressFault(driver, address);
  if (fault) throw new FieldsError([{ field: "address", defaultMessage: fault }]);
  return { driver, address };
}

/** Await the write of a controller. @throws ApiError 409 for an address in use by another controller */
export async function ownAddress(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error;
    throw new ApiError(409, "conflict", "another controller uses this address", {
      field: "address",
    });
  }
}
