import { DatabaseError, UNIQUE_VIOLATION } from "../../database/database.ts";
import { ApiError } from "../../http/api-error.ts";

/** Waits for a write to an account; that another has the user name already becomes the answer 409. */
export async function refusingTakenName<T>(written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) {
      throw new ApiError(409, "conflict", "The user name is taken.", { field: "username" });
    }
    throw error;
  }
}
