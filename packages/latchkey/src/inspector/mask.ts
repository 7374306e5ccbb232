/** Shorter values are not replaced: they would be found by chance. */
const shortestSecret = 8;

/** Returns the length of a value that must not be shown, with its beginning if it is long. */
export function shorten(value: string): string {
  const length = `${value.length} characters`;
  return value.length < 16 ? `(${length})` : `${value.slice(0, 4)}… (${length})`;
}

/** Returns the length alone, for what is worth a session. */
export function lengthOnly(value: string): string {
  return `(${value.length} characters)`;
}

/** Removes secrets from texts. A provider may repeat them anywhere, even in the name of a user. */
export type Hide = (text: string) => string;

export function createHide(secrets: Iterable<string>): Hide {
  // The longest first: one may be a part of another.
  const known = [...new Set(secrets)]
    .flatMap((each) => [each, encodeURIComponent(each)])
    .filter(({ length }) => length >= shortestSecret)
    .toSorted((one, other) => other.length - one.length);
  return (text) => known.reduce((rest, each) => rest.replaceAll(each, "(hidden)"), text);
}

/** Parameters that may be shown whole; all others are shortened. */
const shownParameters = new Set(
  [
    "acr_values audience claims_locales client_assertion_type client_id code_challenge_method",
    "connection display domain_hint error error_description error_uri expires_in grant_type",
    "hd iss issued_token_type login_hint max_age organization prompt redirect_uri resource",
    "response_mode response_type returnTo scope screen_hint subject_token_type",
    "target_link_uri token_type ui_locales access_type restart",
  ].flatMap((line) => line.split(" ")),
);

const lengthOnlyParameters = /secret|assertion|password|_token|^params$|^stepUp$/;

/** Returns the value of a parameter as it may be shown. */
export function maskParameter(name: string, value: string): string {
  if (shownParameters.has(name)) return value.slice(0, 500);
  return lengthOnlyParameters.test(name) ? lengthOnly(value) : shorten(value);
}
