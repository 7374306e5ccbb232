/** The parts to which arrows lead, by part. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the groups of parts that reach each other by arrows: each is a circle, or several. */
export function circlesIn(arrows: Arrows): readonly (readonly string[])[] {
  const reached = new Map([...arrows.keys()].map((part) => [part, reachableFrom(arrows, part)]));
  const circles = [...reached].flatMap(([part, parts]) =>
    parts.has(part) ? [[...parts].filter((other) => reached.get(other)?.has(part)).toSorted()] : [],
  );
  return circles.filter(
    ([first], place) => circles.findIndex(([each]) => each === first) === place,
  );
}

function reachableFrom(arrows: Arrows, start: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...(arrows.get(start) ?? [])];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (found.has(part)) continue;
    found.add(part);
    waiting.push(...(arrows.get(part) ?? []));
  }
  return found;
}
