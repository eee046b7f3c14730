/**
 * Meaning of a failed statement for the row that it was to store:
 *
 * - `row`: this row can never be stored. It is set aside.
 * - `refused`: the server answered with something else, such as a lost right, a read-only server or a timeout.
 * - `away`: no server answered, or it is starting or stopping.
 *
 * `refused` and `away` mean "not now": the row is not acknowledged, and its sender sends it again (KEEP-1).
 */
export type Failure = "row" | "refused" | "away";

/** A five-character SQLSTATE. Every standard code has a digit; codes of sockets, such as EPIPE, have none. */
const SQLSTATE = /^(?=[A-Z]*\d)[0-9A-Z]{5}$/;

/**
 * Data exception, integrity constraint violation, and a row that exceeds a limit of the database. Nothing else
 * may be added without proof that it depends on the row alone: what is set aside is acknowledged, and its
 * sender never sends it again.
 */
const ROW = /^(22...|23...|54000)$/;

/** Connection exception, and a server that is stopping, starting or has crashed. */
const AWAY = /^(08...|57P0.)$/;

/**
 * Classify the code of a failed statement. An unknown code is never the row's fault.
 *
 * @param code SQLSTATE, or the code of a socket, a name lookup or TLS
 */
export function failureOfCode(code: string): Failure {
  if (ROW.test(code)) return "row";
  return AWAY.test(code) || !SQLSTATE.test(code) ? "away" : "refused";
}
