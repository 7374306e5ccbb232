/** A person's initials in a circle. Decoration: the name stands beside it. */
export function Avatar({ name, size }: { name: string; size: "small" | "large" }) {
  return (
    <span className={`avatar ${size}`} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

/** First letters of the first and the last word, in capitals: `Ada Okafor` gives `AO`. */
export function initials(name: string): string {
  const words = name
    .replace(/@.*/u, "")
    .split(/[\s.]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toLocaleUpperCase();
}
