import { useKept } from "../kept.tsx";
import { usePageFrame } from "../page-frame.tsx";
import type { DoorState } from "./door-mark.tsx";

/** How far the door stands open: what the page says, drawn. */
export type Openness = "closed" | "ajar" | "open";

interface DoorPictureProps {
  readonly openness: Openness;
  readonly state: DoorState;
}

/** The free edge of the leaf, and the reach of the light on the floor. */
const leaves: Readonly<Record<Openness, { edge: number; drop: number; reach: number }>> = {
  closed: { edge: 60, drop: 0, reach: 0 },
  ajar: { edge: 48, drop: 5, reach: 16 },
  open: { edge: 30, drop: 9, reach: 34 },
};

/**
 * A door in its frame: closed, ajar or open, with the light of the other side. The only picture
 * that the pages have; decoration, since words beside it say the same.
 */
export function DoorPicture({ openness, state }: DoorPictureProps) {
  const { site } = usePageFrame();
  const drawing = useKept(`door ${openness}`, () => <Drawing openness={openness} />);
  if (site.door === false) return null;
  return (
    <svg
      className="door-picture"
      data-state={state}
      width="96"
      height="112"
      viewBox="0 0 96 112"
      aria-hidden="true"
      dangerouslySetInnerHTML={drawing}
    />
  );
}

function Drawing({ openness }: { openness: Openness }) {
  const { edge, drop, reach } = leaves[openness];
  const floor = 92;
  const leaf = `M20 8L${edge} ${8 + drop}V${floor + drop}L20 ${floor}Z`;
  const light = `M${edge} ${floor}H60L${60 + reach} ${floor + 16}H${edge + reach * 0.45}Z`;
  return (
    <>
      {openness !== "closed" && (
        <>
          <path className="light" d="M20 8H60V92H20Z" />
          <path className="ray" d={light} />
        </>
      )}
      <path className="floor" d="M0 92H20M60 92H96" />
      <path className="leaf" d={leaf} />
      <path className="frame" d="M20 92V8H60V92" />
      <circle className="handle" cx={edge - 8 + drop * 0.4} cy={52 + drop * 0.75} r="3" />
    </>
  );
}
