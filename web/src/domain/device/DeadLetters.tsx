import { Stack, Text } from "@chakra-ui/react";
import { type DeadLetter, REJECT_REASONS } from "@mulkko/shared/rest/dead-letter";
import { useTranslation } from "react-i18next";
import { useExtension } from "../../api/extensions.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { fetchDeadLetters } from "../../api/sensors.ts";
import { Card } from "../../components/card.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useIsLive } from "../../live/hooks.ts";
import { useTimeTexts } from "../time/use-time-texts.ts";

/** Polling interval, ms: no live stream carries these messages. */
const ASK_EVERY_MS = 30_000;

/** Show the messages of a device that could not be decoded; nothing if there are none. */
export function DeadLetters({ id }: { id: string }) {
  const { t } = useTranslation("devices");
  const offers = useExtension("dead-letters");
  const live = useIsLive();
  const { data: report } = useRestQuery(
    ["dead-letters", id],
    (rest, signal) => fetchDeadLetters(rest, id, signal),
    { enabled: live && offers, refetchInterval: ASK_EVERY_MS },
  );
  const [newest, ...older] = report?.letters ?? [];
  if (!report || !newest) return null;
  const { count, more } = report;
  return (
    <Card title={t(more ? "deadLetters.more" : "deadLetters.count", { count })}>
      <Stack
        gap="3"
        minW="0"
        css={{ "& summary": { display: "list-item", minH: "12", py: "3", cursor: "pointer" } }}
      >
        <Letter letter={newest} />
        {older.length > 0 && (
          <details>
            <summary>{t("deadLetters.older", { count: older.length })}</summary>
            <Stack as="ol" gap="3" minW="0">
              {older.map((letter) => (
                <li key={`${letter.at} ${letter.topic} ${letter.text}`}>
                  <Letter letter={letter} />
                </li>
              ))}
            </Stack>
          </details>
        )}
      </Stack>
    </Card>
  );
}

function Letter({ letter }: { letter: DeadLetter }) {
  const { t } = useTranslation("devices");
  const labels = useLabels();
  const { dayTime } = useTimeTexts();
  const reasons = letter.faults.map(({ reason, field }) => {
    const known = REJECT_REASONS.find((each) => each === reason);
    const sentence = t(`deadLetters.reason.${known ?? "other"}`);
    return field ? `${labels.field(field)}: ${sentence}` : sentence;
  });
  return (
    <Stack
      gap="1.5"
      minW="0"
      css={{
        "& > p": { color: "fg.muted" },
        "& > code": {
          display: "block",
          maxH: "32",
          py: "2.5",
          px: "3",
          position: "relative",
          overflow: "auto",
          rounded: "md",
          bg: "bg.sunk",
          fontFamily: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace',
          fontSize: "0.8125rem",
          whiteSpace: "pre-wrap",
          overflowWrap: "anywhere",
        },
      }}
    >
      <p>
        <time dateTime={letter.at}>{dayTime(Date.parse(letter.at))}</time> ·{" "}
        {[...new Set(reasons)].join(" · ")}
      </p>
      <code>
        <Text as="span" display="block" color="fg.muted">
          {letter.topic}
        </Text>
        {letter.text}
      </code>
    </Stack>
  );
}
