/** Characters that all loaders of variables read as they are, without quotation marks. */
const plain = /^[\w.~:/@%+=,?&[\]-]*$/;

/**
 * Returns the line that sets a variable, with quotation marks if the value needs them.
 *
 * @throws Error that names the variable, if loaders would read another value
 */
export function envLine(name: string, value: string): string {
  if (plain.test(value)) return `${name}=${value}`;
  const cannot = "and a file of variables cannot hold them: set it in another way";
  if (/\p{Cc}/u.test(value)) {
    throw new Error(`${name} has line breaks or other control characters, ${cannot}.`);
  }
  if (!value.includes("'")) return `${name}='${value}'`;
  // Between double quotation marks a backslash may begin an escape sequence.
  if (!/["\\]/.test(value)) return `${name}="${value}"`;
  throw new Error(`${name} has both quotation marks or a backslash beside one, ${cannot}.`);
}
