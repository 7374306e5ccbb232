/** What the dot of the door says. */
export type DoorState = "signed-out" | "signed-in" | "ending" | "stopped";

/**
 * The logo: a door in negative space, its handle the state light. Decoration: words beside it say
 * the same.
 */
export function DoorMark({ state }: { state: DoorState }) {
  return (
    <svg
      className="door-mark"
      data-state={state}
      width="28"
      height="28"
      viewBox="0 0 32 32"
      aria-hidden="true"
    >
      <path className="wall" fillRule="evenodd" d={wall} />
      <circle className="handle" cx="18" cy="20" r="2" />
    </svg>
  );
}

/** A rounded square with a doorway cut out of it, open at the floor. */
export const wall =
  "M8 0h16a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8h-2V10a2 2 0 0 0-2-2h-8a2 2 0 0 0-2 2v22H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8Z";
