/**
 * Supported ways to sign in (`acr`): with a password, with a second factor, resistant to phishing.
 * Every sign-in satisfies the requested one.
 */
export const acrValues: readonly string[] = ["pwd", "mfa", "phr"];

/** The first supported value of `acr_values`; `undefined` if there is none. */
export function requestedACR({ acr_values: values }: Readonly<Record<string, unknown>>) {
  const wanted = typeof values === "string" ? values.split(" ") : [];
  return wanted.find((each) => acrValues.includes(each));
}
