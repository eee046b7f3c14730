import { CommandAnswer, REPLACES_HEADER } from "@mulkko/shared/rest/command";
import { controllerCommand, sensorCommand } from "@mulkko/shared/rest/operations/controllers";
import { codeOfStatus, isSentence } from "@mulkko/shared/rest/refusal-body";
import { Nullable } from "@mulkko/shared/schema/nullable";
import type { CapabilitySource } from "../upstream/capabilities.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import {
  NoAccessError,
  UpstreamAnswerError,
  UpstreamError,
  UpstreamStatusError,
} from "../upstream/errors.ts";
import type { OutgoingCommand, SendResult, ValveUpstream } from "../upstream/outgoing-command.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import type { Credential, Credentials } from "./credentials.ts";
import type { TokenProver } from "./token-prover.ts";

/** ms after which a command counts as unanswered. */
const TIMEOUT_MS = 8_000;

/**
 * Create the sender of an account's commands. Commands bypass the poll queue and the breaker: a close is
 * attempted even if the API appears to be unavailable.
 */
export function createAccountCommands(deps: {
  client: UpstreamClient;
  capabilities: CapabilitySource;
  /** The account's own credentials, for closes without a user's token; null if such closes are not sent. */
  credentials: Credentials | null;
  prover: Pick<TokenProver, "reject">;
  upstreamClock: Pick<UpstreamClock, "offsetMs">;
}): ValveUpstream {
  const { client, capabilities, credentials, prover, upstreamClock } = deps;
  const offset = (): { offsetMs?: number } =>
    upstreamClock.offsetMs === 0 ? {} : { offsetMs: upstreamClock.offsetMs };

  const bodyOf = (command: OutgoingCommand): object => {
    // A relay that has just started names the end of an opening also to an API that has not answered it yet: the line may
    // hold what it sends, and let it through later. An API that does not know them leaves them out.
    const timed = capabilities.has("timed-run") || !capabilities.isKnown;
    const { maxRunSeconds, expiresAt } = command;
    // Convert times to the API's clock, because the API compares them with its own.
    const onApiClock = (at: number): string => new Date(at + upstreamClock.offsetMs).toISOString();
    return {
      uuid: command.controllerId,
      command: command.command,
      deviceType: "controller",
      channel: command.number,
      payload: command.payload,
      ...(timed && maxRunSeconds !== undefined && { maxRunSeconds }),
      ...(timed && expiresAt !== undefined && { expiresAt: onApiClock(expiresAt) }),
    };
  };
  const post = async (command: OutgoingCommand, token: string): Promise<SendResult> => {
    const operation = command.form === "controller" ? controllerCommand : sensorCommand;
    try {
      const answer = await client.send(operation, Nullable(CommandAnswer), {
        token,
        json: bodyOf(command),
        headers: headersOf(command),
        limits: { ms: TIMEOUT_MS },
        ...(command.isWanted && { isWanted: command.isWanted }),
        unit: "command",
      });
      return { kind: "accepted", commandId: answer?.commandId ?? null, ...offset() };
    } catch (error) {
      // 2xx with an unexpected body: a foreign API accepted the command.
      if (error instanceof UpstreamAnswerError) return { kind: "accepted", commandId: null, ...offset() };
      throw error;
    }
  };
  const asAccount = (command: OutgoingCommand): Promise<SendResult> => {
    if (credentials === null) throw new NoAccessError("The command carries no user's token");
    return credentials.use(
      (credential: Credential) => post(command, credential.token),
      (error) => error instanceof UpstreamStatusError && error.isAccess,
      true,
    );
  };

  return {
    has: (extension) => capabilities.has(extension),
    get ownSession() {
      return credentials?.own ?? false;
    },
    get offsetMs() {
      return upstreamClock.offsetMs;
    },
    async send(command) {
      try {
        return await (command.token === undefined ? asAccount(command) : post(command, command.token));
      } catch (error) {
        const { token } = command;
        const is401 = error instanceof UpstreamStatusError && error.status === 401;
        if (is401 && token !== undefined) prover.reject(token);
        return resultOf(error);
      }
    },
  };
}

function headersOf({ commandId, traceId, replaces = [] }: OutgoingCommand): Record<string, string> {
  const own = { "idempotency-key": commandId, "x-request-id": traceId };
  return replaces.length === 0 ? own : { ...own, [REPLACES_HEADER]: replaces.join(",") };
}

function resultOf(error: unknown): SendResult {
  if (error instanceof NoAccessError) {
    return { kind: "refused", status: 403, code: "forbidden", message: error.message };
  }
  // A request to wait is not a refusal: nothing was executed, and the command may be sent again.
  if (error instanceof UpstreamStatusError && !error.temporary) {
    const { status, message } = error;
    return { kind: "refused", status, code: reasonOf(error), message };
  }
  if (!(error instanceof UpstreamError)) return { kind: "unknown", message: String(error) };
  return { kind: error.mayHaveExecuted ? "unknown" : "not-sent", message: error.message };
}

/** Return a code with a translation, or the message of a farm API without codes. */
function reasonOf({ status, code, said }: UpstreamStatusError): string {
  return said !== null && isSentence(said) ? said : code || codeOfStatus(status);
}
