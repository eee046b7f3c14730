import { Box, Button, Grid, Text } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FormNotes } from "../../components/form/form-notes.tsx";
import type { FormControl } from "../../components/form/use-form.ts";

type Form = Pick<
  FormControl<object>,
  "submit" | "changed" | "busy" | "failure" | "elsewhere" | "takeOver" | "keepMine" | "values"
>;

interface SettingsRowProps {
  form: Form;
  /** Name of the valve; without one the first field takes its place. */
  title?: string;
  /** The fields. */
  children: ReactNode;
}

/** A form in one row, one below the other on a phone; it can be saved while something has changed. */
export function SettingsRow({ form, title, children }: SettingsRowProps) {
  const { t } = useTranslation("common");
  return (
    <Grid asChild alignItems="start" rowGap="2" columnGap="4" py="2" {...COLUMNS}>
      <form onSubmit={form.submit} noValidate>
        {title !== undefined && (
          <Text as="h4" pt={{ md: "9" }} fontWeight="semibold">
            {title}
          </Text>
        )}
        {children}
        {(form.changed || form.busy) && (
          <Button type="submit" size="sm" mt={{ md: "1.9rem" }} loading={form.busy}>
            {t("action.save")}
          </Button>
        )}
        <Box gridColumn="1 / -1" _empty={{ display: "none" }}>
          <FormNotes form={form} />
        </Box>
      </form>
    </Grid>
  );
}

const COLUMNS = {
  templateColumns: {
    base: "minmax(0, 1fr)",
    md: "4rem minmax(10rem, 1fr) minmax(8rem, 11rem) minmax(9rem, 14rem) 5.5rem",
  },
  md: { "& > :first-child:not(h4)": { gridColumn: "1 / span 2" } },
} as const;
