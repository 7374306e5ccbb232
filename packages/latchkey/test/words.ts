/** The words of a text, for lists that are long. */
export function words([text = ""]: TemplateStringsArray): readonly string[] {
  return text.split(/[ \n]+/).filter((word) => word !== "");
}
