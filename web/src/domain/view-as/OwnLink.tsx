import { Link, type LinkProps } from "react-router-dom";
import { useReadOnly } from "../../api/hooks.ts";

/** A way to where something of one's own is added or changed; not there while another account's farm is read. */
export function OwnLink(props: LinkProps) {
  return useReadOnly() ? null : <Link {...props} />;
}
