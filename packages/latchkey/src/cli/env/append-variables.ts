import { envLine } from "./env-line.ts";

/** A line of an env file: a variable, or a comment without a name. */
export interface EnvLine {
  readonly name?: string;
  readonly text: string;
}

/** Returns the file with the missing variables at its end. Existing lines stay as they are. */
export function appendVariables(text: string, lines: readonly EnvLine[]): string {
  const missing = lines.filter(({ name }) => name === undefined || !hasVariable(text, name));
  if (!missing.some(({ name }) => name !== undefined)) return text;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const start = text === "" || text.endsWith("\n") ? text : text + lineEnd;
  return start + missing.map((line) => line.text + lineEnd).join("");
}

/** Returns whether a line of the file sets the variable, even to nothing. */
export function hasVariable(text: string, name: string): boolean {
  return new RegExp(`^\\uFEFF?\\s*(?:export\\s+)?${name}\\s*=`, "m").test(text);
}

/**
 * Returns the file with the variable set to a value, in its own line if there is one. Other values
 * there stay as comments.
 *
 * @throws Error that names the variable, if a file of variables cannot hold the value
 */
export function setVariable(text: string, name: string, value: string): string {
  const line = new RegExp(`^(\\uFEFF?)([ \\t]*(?:export\\s+)?)(${name}\\s*=[^\\r\\n]*)`, "gm");
  const written = envLine(name, value);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  if (!hasVariable(text, name)) return appendVariables(text, [{ name, text: written }]);
  let isWritten = false;
  return text.replace(line, (_, mark: string, start: string, former: string) => {
    const isLost = former !== written && former !== `${name}=`;
    const comment = isLost ? `# ${former}` : "";
    // The last one would count.
    if (isWritten) return mark + (comment || `# ${former}`);
    isWritten = true;
    return mark + (isLost ? comment + lineEnd : "") + start + written;
  });
}
