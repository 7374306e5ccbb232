/** Parameters of the protocol that must not be in an address (RFC 9700, section 4.3). */
const secrets: ReadonlySet<string> = new Set([
  "access_token",
  "client_assertion",
  "client_secret",
  "id_token",
  "id_token_hint",
  "logout_token",
  "refresh_token",
]);

/**
 * Returns an address without the secrets in its query, before it is copied into another one. A
 * `code` is one if a `state` is beside it; an app may use the name for something else.
 */
export function withoutSecrets(address: string): string {
  const [path = "", query] = address.split(/\?(.*)/s, 2);
  if (query === undefined) return address;
  const pairs = query.split("&");
  const names = pairs.map(nameOf);
  const isResponse = names.includes("state");
  const kept = pairs.filter((_, nth) => {
    const name = names[nth] ?? "";
    return !secrets.has(name) && !(isResponse && name === "code");
  });
  if (kept.length === pairs.length) return address;
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}

function nameOf(pair: string): string {
  const [[name = ""] = []] = new URLSearchParams(pair);
  return name.toLowerCase();
}
