import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import {
  ACCOUNTS_A_BATCH,
  type AccountReport,
  DEVICES_A_BATCH,
  type FleetBatch,
  type FleetVerdict,
} from "./account-report.ts";
import {
  type AccountReporter,
  type AccountSource,
  createReportingAccount,
  type ReportingAccount,
} from "./account-reporter.ts";

/** Collect the reports of the active accounts on this node for the fleet's owner. */
export interface NodeReporter {
  account(accountId: string, source: AccountSource): AccountReporter;
  /** Apply the verdict of a fleet's owner on this node. */
  applyVerdict(verdict: FleetVerdict): void;
  close(): void;
}

export interface NodeReporterDeps {
  readonly node: string;
  /** Send a batch to the fleet's owner, on this node or another. */
  readonly send: (batch: FleetBatch) => Promise<FleetVerdict>;
  /** True if the fleet's owner is on this node, which then sends its verdict by itself. */
  readonly isHere: () => boolean;
  /** True if there are no other nodes. */
  readonly alone: boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** ms between two requests for the verdict of an owner on another node. */
const ASK_EVERY_MS = 2_000;
/** ms between two batches. The first change after a pause is sent at once. */
const GATHER_MS = 200;

const NO_VIEWERS: FleetVerdict = { term: "", wanted: false };

/**
 * Create the reporter. It collects only while the fleet has a viewer. For the first viewer, or for a new
 * owner, every account sends a complete report and then its changes.
 */
export function createNodeReporter(deps: NodeReporterDeps): NodeReporter {
  const { node, clock, timers, log } = deps;
  const accounts = new Map<string, ReportingAccount>();
  const dirty = new Set<string>();
  const over = new Set<string>();
  let verdict = NO_VIEWERS;
  let sentAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let timer: { cancel(): void } | undefined;
  let closed = false;

  const begin = (accountId: string, account: ReportingAccount): void => {
    account.begin();
    dirty.add(accountId);
  };
  const applyVerdict = (next: FleetVerdict): void => {
    const before = verdict;
    verdict = next;
    if (!next.wanted) {
      dirty.clear();
      over.clear();
      return;
    }
    if (before.wanted && before.term === next.term) return;
    for (const [accountId, account] of accounts) begin(accountId, account);
    sendSoon();
  };
  const nextBatch = (): FleetBatch => {
    const reports: AccountReport[] = [];
    let room = DEVICES_A_BATCH;
    for (const accountId of dirty) {
      if (room <= 0 || reports.length >= ACCOUNTS_A_BATCH) break;
      const account = accounts.get(accountId);
      if (account?.dirty) {
        const report = account.nextReport(room);
        room -= report.devices.length + report.gone.length;
        reports.push(report);
      }
      if (!account?.dirty) dirty.delete(accountId);
    }
    const batch = { node, term: verdict.term, reports, over: [...over].slice(0, 10_000) };
    for (const accountId of batch.over) over.delete(accountId);
    return batch;
  };
  const sendOne = async (): Promise<void> => {
    sentAt = clock.monotonic();
    // Collect all changes of one handler in one batch.
    await Promise.resolve();
    if (closed) return;
    try {
      applyVerdict(await deps.send(nextBatch()));
    } catch (error) {
      // The batch may be lost: the next owner that answers gets complete reports.
      const fields = { event: "fleet-report-failed", err: error };
      if (deps.isHere()) log.error(fields, "cannot send report to fleet owner");
      else log.debug(fields, "cannot send report to fleet owner");
      verdict = NO_VIEWERS;
      dirty.clear();
    }
  };
  const sendSoon = (): void => {
    if (closed || running || !verdict.wanted || dirty.size + over.size === 0) return;
    const waits = GATHER_MS - (clock.monotonic() - sentAt);
    timer?.cancel();
    if (waits > 0) {
      timer = timers.after(waits, sendSoon);
      return;
    }
    running = sendOne().finally(() => {
      running = undefined;
      sendSoon();
    });
  };
  const ask = (): void => {
    asking = timers.after(ASK_EVERY_MS, ask);
    if (deps.isHere() || running) return;
    running = sendOne().finally(() => {
      running = undefined;
      sendSoon();
    });
  };
  let asking = deps.alone ? undefined : timers.after(ASK_EVERY_MS, ask);

  return {
    applyVerdict,
    account(accountId, source) {
      const account = createReportingAccount(accountId, source, clock);
      accounts.set(accountId, account);
      over.delete(accountId);
      const noteChange = (change: () => void): void => {
        if (!verdict.wanted || accounts.get(accountId) !== account) return;
        change();
        if (!account.dirty) return;
        dirty.add(accountId);
        sendSoon();
      };
      if (verdict.wanted) {
        begin(accountId, account);
        sendSoon();
      }
      return {
        changed: (key) => noteChange(() => account.changed(key)),
        logged: (event) => noteChange(() => account.logged(event)),
        close() {
          if (accounts.get(accountId) !== account) return;
          accounts.delete(accountId);
          dirty.delete(accountId);
          if (verdict.wanted) over.add(accountId);
          sendSoon();
        },
      };
    },
    close() {
      closed = true;
      timer?.cancel();
      asking?.cancel();
    },
  };
}
