const shapes = {
  check: "M3.5 8.5 6.5 11.5 12.5 4.5",
  cross: "M4 4 12 12M12 4 4 12",
  dash: "M4 8H12",
  alert: "M8 3.5V9M8 12.2V12.3",
  arrow: "M3 8H13M9 4 13 8 9 12",
  person: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM3 13.5c.6-2.4 2.6-3.5 5-3.5s4.4 1.1 5 3.5",
  device: "M2.5 3.5H13.5V10.5H2.5ZM6 13H10",
  phone: "M5 1.5H11V14.5H5ZM7.5 12.5H8.5",
  tablet: "M3 2H13V14H3ZM7.5 12H8.5",
  laptop: "M3.5 3.5H12.5V10H3.5ZM1.5 12.5H14.5",
  terminal: "M2 3H14V13H2ZM4.5 6 6.5 8 4.5 10M8 10H11",
  shield:
    "M8 1.5 13 3.5V7.5C13 10.8 10.9 13.3 8 14.5 5.1 13.3 3 10.8 3 7.5V3.5ZM5.5 8 7.3 9.8 10.5 6.3",
  page: "M4 2.5H9.5L12 5V13.5H4ZM6.5 7.5H9.5M6.5 10H9.5",
} as const;

/** Name of a drawing on a 16 by 16 grid. */
export type IconName = keyof typeof shapes;

/** A small drawing in the colour of the text; decoration, never the only carrier of a meaning. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      data-icon={name}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
