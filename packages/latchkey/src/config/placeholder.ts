/**
 * Returns if a secret was copied from an example and never set: anybody could know it. Some readers
 * of `.env` files take a comment behind the equals sign for the value.
 *
 * @param secret - a text, or several
 */
export function isPlaceholder(secret: unknown): boolean {
  const text = [secret].flat().join(" ").trim();
  return placeholders.some((each) => each.test(text));
}

const placeholders: readonly RegExp[] = [
  /^#/,
  /^(?:<.*>|\{.*\}|\[.*\])$/,
  /(?:^|[^(])\bopenssl rand\b/,
  /\b(?:change|replace|set)[-_ ]?(?:me|this|it)\b/i,
  /^(?:(?:enter|insert|put|use)[-_ ])?(?:a|an|my|your|some|the)(?:[-_ ](?:own|very|long|strong|super|random|secure|secret))*[-_ ](?:secret|key|value)(?:[-_ ](?:key|value|here))?$/i,
  /^(?:x+|\*+|\.+)$/i,
];
