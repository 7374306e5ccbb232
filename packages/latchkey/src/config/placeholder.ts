/**
 * Returns if a secret was copied from an example and never set: anybody could know it. Some readers
 * of `.env` files take a comment behind the equals sign for the value.
 *
 * @param secret - a text, or several
 */
export function isPlaceholder(secret: unknown): boolean {
  const text = textOf(secret);
  return !isCommand(secret) && placeholders.some((each) => each.test(text));
}

/** Returns whether a secret is a command that a shell would have replaced by what it prints. */
export function isCommand(secret: unknown): boolean {
  return /^(?:\$\(.*\)|`.*`)$/.test(textOf(secret));
}

/** Empty for what is neither a text nor a list of texts. */
function textOf(secret: unknown): string {
  const all = [secret].flat();
  return all.every((each) => typeof each === "string") ? all.join(" ").trim() : "";
}

const placeholders: readonly RegExp[] = [
  /^#/,
  /^(?:<.*>|\{.*\}|\[.*\])$/,
  /\bopenssl rand\b/,
  /\b(?:change|replace|set)[-_ ]?(?:me|this|it)\b/i,
  /^(?:(?:enter|insert|put|use)[-_ ])?(?:a|an|my|your|some|the)(?:[-_ ](?:own|very|long|strong|super|random|secure|secret))*[-_ ](?:secret|key|value)(?:[-_ ](?:key|value|here))?$/i,
  /^(?:x+|\*+|\.+)$/i,
];
