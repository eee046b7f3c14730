import { Button, Center, FileUpload, Flex, Stack, Text } from "@chakra-ui/react";
import { fileUploadSlotRecipe } from "@chakra-ui/react/theme";
import { CameraIcon } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "./field.tsx";
import { Photo } from "./photo.tsx";

/** Image types that the farm API accepts. */
const PICTURE_KINDS = ["image/jpeg", "image/png", "image/webp"] as const;

/** Maximum image size that it accepts, bytes. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** Longest side of a sent image, pixels: more than any screen here shows. Phones take 4,000 and more. */
const MAX_PICTURE_SIDE = 1_600;

type PictureFault = "wrongKind" | "tooLarge" | "unreadable";

/** Return the size of the sent image, pixels; it never grows. */
export function sentSize(width: number, height: number): { width: number; height: number } {
  const factor = Math.min(1, MAX_PICTURE_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** Browser functions that redraw an image. */
export interface ImageCodec {
  open(file: Blob): Promise<ImageBitmap>;
  /** Return the bitmap in that size as JPEG; null if the browser cannot. */
  redraw(bitmap: ImageBitmap, size: { width: number; height: number }): Promise<Blob | null>;
}

/**
 * Prepare an image for sending: shrink a large one to an upright JPEG, keep a small one.
 *
 * @returns the image, or the reason why it cannot be sent
 */
export async function preparePicture(file: File, codec: ImageCodec): Promise<File | PictureFault> {
  if (!PICTURE_KINDS.some((kind) => kind === file.type)) return "wrongKind";
  let bitmap: ImageBitmap;
  try {
    bitmap = await codec.open(file);
  } catch {
    return "unreadable";
  }
  try {
    const size = sentSize(bitmap.width, bitmap.height);
    if (size.width === bitmap.width && file.size <= MAX_PICTURE_BYTES) return file;
    const smaller = await codec.redraw(bitmap, size);
    if (smaller === null || smaller.size > MAX_PICTURE_BYTES) return "tooLarge";
    return new File([smaller], `${file.name.replace(/\.[^.]*$/, "")}.jpg`, { type: "image/jpeg" });
  } finally {
    bitmap.close();
  }
}

const JPEG_QUALITY = 0.85;

/** Image functions based on the browser's decoder and canvas; both rotate a phone's photo upright. */
const browserCodec: ImageCodec = {
  open: (file) => createImageBitmap(file),
  redraw(bitmap, { width, height }) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    if (!context) return Promise.resolve(null);
    // JPEG has no transparency: fill a transparent image with white, not black.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0, width, height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
  },
};

interface ImageFieldProps {
  label: string;
  /** Chosen file that is not saved yet. */
  value: File | null;
  /** Address of the saved image; null or undefined if there is none. */
  current: string | null | undefined;
  onChange: (file: File | null) => void;
  /** Error of the last save. */
  error?: string | null | undefined;
  disabled?: boolean;
  shape?: "picture" | "portrait";
  codec?: ImageCodec;
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
  const { label, value, current, onChange, error, disabled, shape = "picture" } = props;
  const { t } = useTranslation("common");
  const id = useId();
  const preview = usePreview(value);
  const [fault, setFault] = useState<PictureFault | null>(null);
  const [preparing, setPreparing] = useState(false);
  const choose = async (file: File) => {
    setPreparing(true);
    const prepared = await preparePicture(file, props.codec ?? browserCodec);
    setPreparing(false);
    if (prepared instanceof File) {
      setFault(null);
      onChange(prepared);
    } else {
      setFault(prepared);
    }
  };
  const shown = preview ?? (current || null);
  const sentence = fault === null ? error : t(`form.image.${fault}`);
  return (
    <FieldFrame error={sentence} hint={t("form.image.hint")} disabled={Boolean(disabled) || preparing}>
      <FileUpload.Root
        recipe={fileUploadSlotRecipe}
        accept={[...PICTURE_KINDS]}
        acceptedFiles={value ? [value] : []}
        onFileAccept={({ files: [file] }) => file && void choose(file)}
        onFileReject={({ files: [rejected] }) => rejected && void choose(rejected.file)}
        flexDirection="row"
        flexWrap="wrap"
        alignItems="center"
      >
        <ImageFrame address={shown} shape={shape} />
        <Stack flex="1 1 9rem" gap="1.5" minWidth="0">
          <Text id={`${id}label`} textStyle="label">
            {label}
          </Text>
          <FileUpload.HiddenInput />
          <Flex wrap="wrap" gap="2">
            <FileUpload.Trigger asChild>
              <Button
                id={`${id}choose`}
                size="sm"
                variant="outline"
                aria-labelledby={`${id}label ${id}choose`}
                aria-invalid={sentence ? true : undefined}
              >
                {t(shown === null ? "form.image.choose" : "form.image.change")}
              </Button>
            </FileUpload.Trigger>
            {value && (
              <Button
                type="button"
                size="sm"
                variant="ghost"
                {...(disabled ? { disabled } : {})}
                onClick={() => {
                  setFault(null);
                  onChange(null);
                }}
              >
                {t("form.image.undo")}
              </Button>
            )}
          </Flex>
        </Stack>
      </FileUpload.Root>
    </FieldFrame>
  );
}

/** Show an image in a form, or a camera icon while there is none. */
export function ImageFrame({ address, shape }: { address: string | null; shape: "picture" | "portrait" }) {
  return (
    <Center
      flex="none"
      width={shape === "portrait" ? "5.625rem" : "7.5rem"}
      maxWidth="100%"
      height="5.625rem"
      overflow="hidden"
      borderWidth="1px"
      borderRadius={shape === "portrait" ? "full" : "card"}
      background="bg.sunk"
      color="fg.subtle"
      css={{ "& img": { width: "100%", height: "100%", objectFit: "cover" } }}
    >
      <Photo path={address} icon={<CameraIcon size={28} />} />
    </Center>
  );
}
