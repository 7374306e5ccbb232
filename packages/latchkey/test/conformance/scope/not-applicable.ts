/** Ids of the scope without a test, each with the reason in one sentence. */
export const notApplicable: Readonly<Record<string, string>> = {
  "STD-067":
    "One `createAuth` knows one issuer; an app with two providers makes two of them, each with a prefix of its own.",
  "STD-096":
    "Latchkey forwards no calls; an app gets an access token and calls its services itself.",
  "ATK-030":
    "There is no rate limit here that could be keyed by an address; that is for the server in front.",
  "ATK-035":
    "There is no separate anti-CSRF value: state-changing requests are judged by `Sec-Fetch-Site` and `Origin`.",
  "ATK-042":
    "No identity is passed to an upstream in headers; that will be the gateway's, with tests of its own.",
  "ATK-054": "Bearer tokens are not accepted as a session, whatever they say.",
  "OP-033": "Ended sessions are not cached in a client: every request reads the store.",
  "ATK-072": "Verified tokens are not cached: each is verified when it comes.",
};

/** Tested against a decision other than the list suggests, with its record. */
export const decidedOtherwise: Readonly<Record<string, string>> = {
  "FAPI-013":
    "Beside an ID token, whose issuer is verified, the `iss` parameter may be missing (RFC 9207, section 4).",
  "STD-064": "As FAPI-013.",
  "FAPI-014":
    "A response without a transaction changes none ([0020](decisions/0020-a-transaction-belongs-to-one-browser.md)).",
  "STD-098":
    "A refused refresh token is forgotten and the person stays signed in ([0006](decisions/0006-a-refused-refresh-token-does-not-sign-out.md)).",
  "STD-103":
    "A logout token without `exp` is accepted for an hour from its `iat` ([0003](decisions/0003-tokens-are-verified-in-one-place.md)).",
  "STD-092":
    "The names of the cookies are those of the specification; over https a transaction counts only together with a `__Host-` cookie, and the session takes the prefix by setting.",
  "STD-089": "A form beyond 64 KiB is answered 413 unread, so its transaction is untouched.",
  "ATK-112": "Refused by the HTTP server of Node before a handler sees it.",
};
