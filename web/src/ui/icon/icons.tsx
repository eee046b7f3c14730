import type { ReactNode } from "react";

export interface IconProps {
  /** Side length, CSS px or any length; default 1.25 em. */
  size?: number | string;
}

/** One icon: 24-unit square, 1.75-unit round strokes in the text's colour, hidden from screen readers. */
function Icon({ size = "1.25em", children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {children}
    </svg>
  );
}

export const ClockIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </Icon>
);
export const UnplugIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 9.5a13 13 0 0 1 4.3-2.8M11.5 5.6a13 13 0 0 1 9 3.9M7 13.2a8 8 0 0 1 2.4-1.6M13.6 11.3a8 8 0 0 1 3.4 1.9M10.4 16.9a3 3 0 0 1 3.2 0M12 20v.1M4.5 3.5l15 17" />
  </Icon>
);
export const QuestionIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" strokeDasharray="3 2.6" />
    <path d="M9.8 9.6a2.3 2.3 0 1 1 3.4 2c-.8.5-1.2.9-1.2 1.7M12 16.2v.1" />
  </Icon>
);
export const HomeIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 11.2 12 4.5l8 6.7M6 9.8V19.5h12V9.8M10 19.5v-5h4v5" />
  </Icon>
);
export const ValveIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 9.5v8l8-4 8 4v-8l-8 4zM12 13.5V6M8.5 6h7" />
  </Icon>
);
export const SensorIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 21v-9M8.8 9.2a4.4 4.4 0 0 0 0 6M15.2 9.2a4.4 4.4 0 0 1 0 6M6.2 6.4a8.4 8.4 0 0 0 0 11.6M17.8 6.4a8.4 8.4 0 0 1 0 11.6M12 12v.01" />
  </Icon>
);
export const MapIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M9 4.5 3.5 7v12.5L9 17l6 2.5 5.5-2.5V4.5L15 7zM9 4.5V17M15 7v12.5" />
  </Icon>
);
export const AccountIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="8.5" r="3.75" />
    <path d="M4.5 20c.8-3.9 3.7-6 7.5-6s6.7 2.1 7.5 6" />
  </Icon>
);
export const BellIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6 16.5V11a6 6 0 1 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4" />
  </Icon>
);
export const MoreIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />
  </Icon>
);
export const AdminIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 3.5 5 6v5.5c0 4.4 2.9 7.4 7 9 4.1-1.6 7-4.6 7-9V6zM9 12l2.2 2.2L15.2 10" />
  </Icon>
);
export const SunIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4" />
  </Icon>
);
export const MoonIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M19.5 14.2A8 8 0 1 1 9.8 4.5a6.4 6.4 0 0 0 9.7 9.7z" />
  </Icon>
);
export const DeviceIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 5h16v10.5H4zM9 19.5h6M12 15.5v4" />
  </Icon>
);
export const BackIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m14.5 5-7 7 7 7" />
  </Icon>
);
export const ForwardIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m9.5 5 7 7-7 7" />
  </Icon>
);
export const DownIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m5.5 9 6.5 6.5L18.5 9" />
  </Icon>
);
export const CloseIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);
export const PlusIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 5v14M5 12h14" />
  </Icon>
);
export const MinusIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M5 12h14" />
  </Icon>
);
export const CheckIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m5 12.5 4.5 4.5L19 7" />
  </Icon>
);
export const WarningIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.1" />
  </Icon>
);
export const RefreshIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 4v4.5H15" />
  </Icon>
);
export const CalendarIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 6.5h16v13H4zM4 10.5h16M8.5 4v4M15.5 4v4" />
  </Icon>
);
export const DropIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 3.5c3.6 4.2 5.8 7.3 5.8 10.3a5.8 5.8 0 1 1-11.6 0c0-3 2.2-6.1 5.8-10.3z" />
  </Icon>
);
export const LogoutIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 4.5H5v15h5M14.5 8l4 4-4 4M18 12H9.5" />
  </Icon>
);
export const MailIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 6h17v12.5h-17zM4 6.5l8 6.5 8-6.5" />
  </Icon>
);
export const SettingsIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM7 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0z" />
  </Icon>
);
export const CameraIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 8h3.2L9 5.5h6L16.8 8H20a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1Z" />
    <circle cx="12" cy="13" r="3.5" />
  </Icon>
);
export const TrashIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10 10.5v5.5M14 10.5v5.5" />
  </Icon>
);
export const CopyIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M9 8.5h10.5v11H9zM15 8.5v-4H4.5v11H9" />
  </Icon>
);
export const FirstIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m18 5-7 7 7 7M6 5v14" />
  </Icon>
);
export const LastIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6 5 7 7-7 7M18 5v14" />
  </Icon>
);
export const ChartIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 4v16h16M7.5 15.5l4-5 3 3 4.5-6" />
  </Icon>
);
export const DownloadIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 4v11M7.5 11 12 15.5 16.5 11M4.5 19.5h15" />
  </Icon>
);
export const LocateIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="6" />
    <path d="M12 2.5v4M12 17.5v4M2.5 12h4M17.5 12h4M12 12v.01" />
  </Icon>
);
export const FitIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M10.5 12h3" />
  </Icon>
);
export const ShareIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 14.5V3.5M8 7l4-3.5L16 7M7.5 10.5h-2v10h13v-10h-2" />
  </Icon>
);
export const EyeIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="3" />
  </Icon>
);
