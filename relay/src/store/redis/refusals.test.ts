import { expect, test } from "vitest";
import { isOfTheCommand } from "./connection.ts";

/** Errors of Redis 7, Valkey and services of providers; true: the command is wrong, and would fail again. */
const ERRORS: Readonly<Record<string, boolean>> = {
  "OOM command not allowed when used memory > 'maxmemory'. script: 1a2b, on @user_script:3.": false,
  "READONLY You can't write against a read only replica.": false,
  "LOADING Redis is loading the dataset in memory": false,
  "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.": false,
  "BUSY Redis is busy running a script.": false,
  "NOAUTH Authentication required.": false,
  "NOPERM User relay has no permissions to run the 'evalsha' command": false,
  "WRONGPASS invalid username-password pair or user is disabled.": false,
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.": false,
  "NOREPLICAS Not enough good replicas to write.": false,
  "NOGOODSLAVE No suitable replica to promote": false,
  "CLUSTERDOWN Hash slot not served": false,
  "TRYAGAIN Multiple keys request during rehashing of slot": false,
  "MOVED 3999 127.0.0.1:6381": false,
  "ASK 3999 127.0.0.1:6381": false,
  "UNKILLABLE Sorry the script already executed write commands": false,
  "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)": false,
  "ERR max number of clients reached": false,
  "ERR max daily request limit exceeded.": false,
  "ERR operation not permitted": false,
  "ERR DISABLE You can't write or read against a disable instance": false,
  "ERR proxy: backend connection is closed": false,
  "IOERR error or timeout connecting to the client": false,
  "a sentence that is not known yet": false,
  "WRONGTYPE Operation against a key holding the wrong kind of value": true,
  "CROSSSLOT Keys in request don't hash to the same slot": true,
  "ERR syntax error": true,
  "ERR wrong number of arguments for 'set' command": true,
  "ERR unknown command 'FOO', with args beginning with: 'a'": true,
  "ERR value is not an integer or out of range": true,
  "ERR Error compiling script (new function): user_script:1: '=' expected": true,
  "ERR user_script:1: attempt to index a nil value script: 1a2b, on @user_script:1.": true,
};

test("[KEEP-5] only an error of the command itself is one; with any other the store is away", () => {
  const judged = Object.keys(ERRORS).map((message) => [message, isOfTheCommand(message)]);
  expect(Object.fromEntries(judged)).toEqual(ERRORS);
});
