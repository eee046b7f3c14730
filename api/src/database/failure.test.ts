import { expect, test } from "vitest";
import { DatabaseError, failureOf } from "./database.ts";
import { type Failure, failureOfCode } from "./failure.ts";

/** All classes of PostgreSQL 18 (appendix A of its documentation), with the classes of foreign data. */
const CLASSES = [
  ...["00", "01", "02", "03", "08", "09", "0A", "0B", "0F", "0L", "0P", "0Z", "10", "20", "21", "22", "23"],
  ...["24", "25", "26", "27", "28", "2B", "2D", "2F", "34", "38", "39", "3B", "3D", "3F", "40", "42", "44"],
  ...["53", "54", "55", "57", "58", "72", "F0", "HV", "P0", "XX"],
];
const DIGITS = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Return every code that a class may have: the second digit decides nothing, so it is 0 or A. */
const codesOf = (sqlClass: string): string[] =>
  ["0", "A"].flatMap((first) =>
    DIGITS.flatMap((second) => DIGITS.map((third) => sqlClass + first + second + third)),
  );

/** Codes of sockets, name lookup and TLS as Node.js reports them. */
const CONNECTION_CODES = [
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "ETIMEDOUT", "EPIPE", "EHOSTUNREACH", "EHOSTDOWN"],
  ...["ENETUNREACH", "ENETDOWN", "ENETRESET", "EADDRNOTAVAIL", "EACCES", "EPERM", "EMFILE", "ENFILE"],
  ...["ENOBUFS", "ENOMEM", "EIO", "ENOENT", "ENOTCONN", "ESHUTDOWN", "ENOTFOUND", "EAI_AGAIN", "EAI_FAIL"],
  ...["EAI_NODATA", "EAI_NONAME", "EAI_MEMORY", "ESERVFAIL", "ENODATA", "ECANCELLED", "EPROTO"],
  ...["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID", "CERT_REVOKED", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ...["SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"],
  ...["ERR_TLS_CERT_ALTNAME_INVALID", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA"],
  ...["ERR_SOCKET_CLOSED", "ERR_STREAM_DESTROYED", "ABORT_ERR", "ERR_OUT_OF_RANGE", ""],
];

test.each(CLASSES)("[KEEP-1] of class %s only what depends on the row alone is set aside", (sqlClass) => {
  for (const code of codesOf(sqlClass)) {
    const isOfRow = sqlClass === "22" || sqlClass === "23" || code === "54000";
    expect([code, failureOfCode(code) === "row"]).toEqual([code, isOfRow]);
    expect(new DatabaseError("", code).temporary).toBe(!isOfRow);
  }
});

test.each(CONNECTION_CODES)('[KEEP-1] the connection error "%s" means that the database is away', (code) => {
  expect(failureOfCode(code)).toBe("away");
});

test.each<[string, Failure]>([
  ["08006", "away"],
  ["57P01", "away"],
  ["57P03", "away"],
  ["57014", "refused"],
  ["25006", "refused"],
  ["28P01", "refused"],
  ["42501", "refused"],
  ["42P01", "refused"],
  ["40001", "refused"],
  ["40P01", "refused"],
  ["53100", "refused"],
  ["53300", "refused"],
  ["55P03", "refused"],
  ["58030", "refused"],
  ["XX000", "refused"],
  ["22003", "row"],
  ["23503", "row"],
])("[KEEP-1] %s is %s", (code, failure) => {
  expect(failureOfCode(code)).toBe(failure);
});

test("[KEEP-1] an error that is not the database's is never the row's fault", () => {
  const errors = [
    ...[new Error("22003"), new TypeError("undefined is not a function"), new RangeError("too many wait")],
    ...[Object.assign(new Error("not of the driver"), { code: "23505" }), "23505", null, undefined],
  ];
  expect(errors.map(failureOf)).toEqual(errors.map(() => "refused"));
});
