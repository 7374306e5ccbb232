const separator = /[._]/;

/**
 * Returns the probable name: the one with the fewest edits, if they change at most a third of the
 * differing words; else the first one that has all of its words.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let fewest = Infinity;
  for (const candidate of names) {
    const edits = editDistance(name, candidate);
    const most = Math.max(2, Math.floor(lengthApart(name, candidate) / 3));
    if (edits <= most && edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  if (nearest !== undefined) return nearest;
  const words = name.split(separator);
  return names.find((each) => words.every((word) => each.split(separator).includes(word)));
}

/** The length of a name without the words it shares with another one at the same place. */
function lengthApart(name: string, other: string): number {
  const others = other.split(separator);
  const words = name.split(separator).filter((word, index) => word !== others[index]);
  return words.join("").length;
}

/**
 * How many characters must be inserted, removed or replaced to make one text the other
 * (Levenshtein).
 */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const [diagonal = 0, above = 0] = row.slice(column, column + 2);
      const replaced = diagonal + (character === other ? 0 : 1);
      next.push(Math.min(replaced, above + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
