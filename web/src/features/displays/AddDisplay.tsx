import { Box, Button, chakra, Text } from "@chakra-ui/react";
import { CODE_LENGTH } from "@mulkko/shared/rest/displays";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchPendingCode } from "../../api/displays.ts";
import { ApiError, errorCode } from "../../api/errors.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { Card } from "../../components/card.tsx";
import { TextField } from "../../components/field.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { ApproveForm } from "./ApproveForm.tsx";
import { readTyped, shownCode } from "./draft.ts";

interface AddDisplayProps {
  /** Code in the address of the display's own link; empty if the user types it. */
  readonly code: string;
  readonly count: number;
  readonly onPaired: () => void;
  readonly onCode: (code: string) => void;
}

/**
 * Enter the eight letters that a display shows, typed or from its link. They lead to the form for its
 * content.
 */
export function AddDisplay({ code, count, onPaired, onCode }: AddDisplayProps) {
  const { t } = useTranslation("displays");
  const labels = useLabels();
  const [typed, setTyped] = useState(code);
  const isWhole = code.length >= CODE_LENGTH;
  const { data: pending, error } = useRestQuery(
    ["display-code", code],
    (rest, signal) => fetchPendingCode(rest, code, signal),
    { enabled: isWhole },
  );
  useEffect(() => setTyped(code), [code]);

  if (pending !== null) {
    return <ApproveForm pending={pending} count={count} onPaired={onPaired} onCancel={() => onCode("")} />;
  }
  const isGone = error instanceof ApiError && error.status === 404;
  const failure = error === null ? undefined : isGone ? t("add.noScreen") : labels.error(errorCode(error));
  return (
    <Card title={t("add.title")}>
      <chakra.form
        display="grid"
        gap="4"
        css={{ "& > button": { justifySelf: "start" } }}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onCode(typed);
        }}
      >
        <Text color="fg.muted" fontSize="label" overflowWrap="anywhere">
          {t("add.how")}
        </Text>
        {isWhole && error === null ? (
          <Skeleton height="5rem" />
        ) : (
          <Box
            css={{
              "& input": {
                maxW: "18rem",
                minH: "16",
                fontSize: "1.75rem",
                fontWeight: "semibold",
                letterSpacing: "0.12em",
                textTransform: "uppercase",
              },
            }}
          >
            <TextField
              label={t("add.code")}
              name="code"
              autoComplete="off"
              value={shownCode(typed)}
              error={failure}
              onChange={(event) => {
                const letters = readTyped(event.target.value);
                setTyped(letters);
                // Continue automatically after the last letter.
                if (letters.length === CODE_LENGTH) onCode(letters);
              }}
            />
          </Box>
        )}
        {error !== null && (
          <Button
            variant="outline"
            onClick={() => {
              setTyped("");
              onCode("");
            }}
          >
            {t("add.again")}
          </Button>
        )}
      </chakra.form>
    </Card>
  );
}
