import type { MomentStyle } from "../messages/moments.ts";
import { useMoment } from "./page-frame.tsx";

interface MomentProps {
  /** Epoch seconds. */
  readonly at: number;
  readonly style?: MomentStyle;
}

/**
 * A moment in words. The server writes it in its own zone and says so; a script turns it into local time before
 * the first paint, and hydration leaves that as it is.
 */
export function Moment({ at, style = "day" }: MomentProps) {
  const words = useMoment()(at, style);
  return (
    <time dateTime={new Date(at * 1000).toISOString()} data-moment={style} suppressHydrationWarning>
      {words}
    </time>
  );
}
