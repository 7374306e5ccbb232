/** Splits a text into words, for long lists. */
export function words([text = ""]: TemplateStringsArray): readonly string[] {
  return text.split(/[ \n]+/).filter((word) => word !== "");
}
