import { Button } from "@chakra-ui/react";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { browserPictureParts } from "./browser-picture.ts";
import { FieldNote } from "./form-field.tsx";
import { ImageFrame } from "./image-frame.tsx";
import { PICTURE_KINDS, type PictureFault, type PictureParts, preparePicture } from "./picture.ts";
import "./image-field.css";

interface ImageFieldProps {
  label: string;
  /** Chosen file that is not saved yet. */
  value: File | null;
  /** Address of the saved image; null or undefined if there is none. */
  current: string | null | undefined;
  onChange: (file: File | null) => void;
  /** Called with a message if the chosen file cannot be sent, and with null when that ends. */
  onError?: (sentence: string | null) => void;
  /** Error of the last save. */
  error?: string | null | undefined;
  disabled?: boolean;
  shape?: "picture" | "portrait";
  parts?: PictureParts;
}

/** Return an object URL for an unsent file while it is displayed. */
function usePreview(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) {
      setAddress(null);
      return;
    }
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}

/** Select an image from a phone's camera or album, preview it and shrink it before sending. */
export function ImageField(props: ImageFieldProps) {
  const { label, value, current, onChange, onError, error, disabled, shape = "picture" } = props;
  const { t } = useTranslation("common");
  const id = useId();
  const preview = usePreview(value);
  const [fault, setFault] = useState<PictureFault | null>(null);
  const [preparing, setPreparing] = useState(false);
  const say = (found: PictureFault | null) => {
    setFault(found);
    onError?.(found === null ? null : t(`form.image.${found}`));
  };
  const choose = async (file: File) => {
    setPreparing(true);
    const prepared = await preparePicture(file, props.parts ?? browserPictureParts);
    setPreparing(false);
    if (prepared instanceof File) {
      say(null);
      onChange(prepared);
    } else {
      say(prepared);
    }
  };
  const shown = preview ?? (current || null);
  const sentence = fault === null ? error : t(`form.image.${fault}`);
  return (
    <div className="image-field">
      <ImageFrame address={shown} shape={shape} />
      <div className="image-field__side">
        <span className="field__label" id={`${id}-label`}>
          {label}
        </span>
        <div className="image-field__buttons">
          <label className="image-field__choose" data-disabled={disabled || preparing || undefined}>
            <input
              type="file"
              accept={PICTURE_KINDS.join()}
              className="visually-hidden"
              aria-labelledby={`${id}-label ${id}-act`}
              aria-describedby={`${id}-note`}
              aria-invalid={sentence ? true : undefined}
              disabled={disabled || preparing}
              onChange={(event) => {
                const file = event.target.files?.[0];
                // Reset the input, so that the same file can be chosen again.
                event.target.value = "";
                if (file) void choose(file);
              }}
            />
            <span id={`${id}-act`}>{t(shown === null ? "form.image.choose" : "form.image.change")}</span>
          </label>
          {value && (
            <Button
              type="button"
              size="sm"
              variant="ghost"
              {...(disabled ? { disabled } : {})}
              onClick={() => {
                say(null);
                onChange(null);
              }}
            >
              {t("form.image.undo")}
            </Button>
          )}
        </div>
        <FieldNote id={`${id}-note`} error={sentence} hint={t("form.image.hint")} />
      </div>
    </div>
  );
}
