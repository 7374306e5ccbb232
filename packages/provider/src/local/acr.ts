/**
 * Ways to sign in that this provider knows (`acr`): with a password, with a second factor, resistant to phishing.
 * Whoever signs in here has done what the application asks for.
 */
export const acrValues: readonly string[] = ["pwd", "mfa", "phr"];

/** The first way of `acr_values` that is known; `undefined` where the application asks for none. */
export function acrAsked({ acr_values: asked }: Readonly<Record<string, unknown>>) {
  const wanted = typeof asked === "string" ? asked.split(" ") : [];
  return wanted.find((each) => acrValues.includes(each));
}
