import type { MomentStyle } from "../messages/moments.ts";
import { useMoment } from "./page-frame.tsx";

interface MomentProps {
  /** Epoch seconds. */
  readonly at: number;
  readonly style?: MomentStyle;
  /** Which end of the session this is: a script keeps it right. */
  readonly end?: "rolling" | "absolute" | "any";
}

/**
 * A moment in words. The server writes it in its own zone and says so; a script turns it into local
 * time.
 */
export function Moment({ at, style, end }: MomentProps) {
  const words = useMoment()(at, style);
  return (
    <time dateTime={new Date(at * 1000).toISOString()} data-moment={style} data-end={end}>
      {words}
    </time>
  );
}
