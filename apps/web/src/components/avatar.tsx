/** A person's initials in a circle, under a picture where there is one. Decoration: the name stands beside it. */
export function Avatar({ name, picture }: { name: string; picture?: string | undefined }) {
  return (
    <span className="avatar" aria-hidden="true">
      {initials(name)}
      {picture !== undefined && <img src={picture} alt="" referrerPolicy="no-referrer" />}
    </span>
  );
}

/** First characters of the first and the last word, in capitals: `Ada Okafor` gives `AO`. */
function initials(name: string): string {
  const words = name
    .replace(/@.*/u, "")
    .split(/[\s.]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const named = words.length > 1 ? [words[0], words.at(-1)] : words;
  return named
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toLocaleUpperCase();
}
