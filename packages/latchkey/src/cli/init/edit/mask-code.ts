/**
 * Returns the code with every comment, string and template as spaces, quotation marks excepted. The
 * length and all line breaks stay, so offsets are those of the code.
 */
export function maskCode(code: string): string {
  return code.replaceAll(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(["'])(?:\\.|(?!\1)[^\\\n])*\1|`(?:\\.|[^\\`])*`/g,
    (match) => {
      const blank = match.replaceAll(/[^\r\n]/g, " ");
      const isText = /^["'`]/.test(match);
      return isText ? match[0] + blank.slice(1, -1) + match[0] : blank;
    },
  );
}
