import type { Members, Situation, TokenFault } from "../behavior.ts";
import { unpublishedSigner } from "../key-ring.ts";
import type { Entry } from "./entry.ts";
import { addSuffix, entry, without } from "./entry.ts";
import { corruptSignature, otherAlgorithm } from "./id-token-signature.ts";

const event = "http://schemas.openid.net/event/backchannel-logout";
type Change = (claims: Members, situation: Situation) => Members;

function bad(says: string, logoutToken: TokenFault): Entry {
  return entry("logout-refused", `a logout token ${says}`, { logoutToken });
}

function claims(says: string, change: Change): Entry {
  return bad(says, { claims: change });
}

function good(says: string, logoutToken: TokenFault, more: Entry["behavior"] = {}): Entry {
  return entry("logout-accepted", `a logout token ${says}`, { ...more, logoutToken });
}

const set = (says: string, members: Members): Entry =>
  claims(says, (own) => ({ ...own, ...members }));

const typ = (value: string): TokenFault => ({ header: (header) => ({ ...header, typ: value }) });

/** Logout tokens, and what follows an end-session request. */
export const logout = {
  "CERT-070": entry("signed-out", "returns from the end of the session", {}),
  "CERT-071": entry("signed-out", "returns from the end of the session with another state", {
    afterLogout: () => [["state", "another-state"]],
  }),
  "CERT-072": entry("signed-out", "returns from the end of the session without state", {
    afterLogout: () => [],
  }),
  "CERT-074": good("with sub and sid, an unknown claim and no typ", {}),
  "CERT-075": bad("that is not signed", { signer: () => null }),
  "CERT-076": bad("signed well with another algorithm", { signer: otherAlgorithm }),
  "CERT-077": claims("for another client", (own) => addSuffix(own, "aud")),
  "CERT-078": claims("of another issuer", (own) => addSuffix(own, "iss")),
  "CERT-079": set("with a nonce", { nonce: "a-nonce" }),
  "CERT-080": claims("without events", (own) => without(own, "events")),
  "CERT-081": set("with another event", { events: { "urn:example:other-event": {} } }),
  "STD-101/signature": bad("with a broken signature", { text: corruptSignature }),
  "STD-101/unknown-key": bad("signed with a key that is not published", {
    signer: ({ keys, alg }) => ({ ...unpublishedSigner(keys, alg), kid: "never-published" }),
  }),
  "STD-102/PS256": good("signed with PS256", {}, { alg: "PS256" }),
  "STD-102/ES256": good("signed with ES256", {}, { alg: "ES256" }),
  "STD-102/EdDSA": good("signed with EdDSA", {}, { alg: "EdDSA" }),
  "STD-102/HS256": good("signed with HS256", {}, { alg: "HS256" }),
  "STD-103/no-iss": claims("without iss", (own) => without(own, "iss")),
  "STD-103/no-aud": claims("without aud", (own) => without(own, "aud")),
  "STD-103/no-iat": claims("without iat", (own) => without(own, "iat")),
  "STD-103/no-exp": claims("without exp", (own) => without(own, "exp")),
  "STD-103/expired": claims("that expired two minutes ago", (own, { nowSeconds }) => ({
    ...own,
    iat: nowSeconds - 240,
    exp: nowSeconds - 120,
  })),
  "STD-104/no-jti": claims("without jti", (own) => without(own, "jti")),
  "STD-104/same-jti": {
    ...set("with the jti of the one before", { jti: "always-the-same-jti" }),
    expect: "either",
  },
  "STD-105/neither": claims("with neither sid nor sub", (own) => without(own, "sid", "sub")),
  "STD-105/sid-empty": set("with an empty sid", { sid: "" }),
  "STD-105/sid-number": set("with a number as sid", { sid: 12_345 }),
  "STD-105/sid-array": set("with an array as sid", { sid: ["sid"] }),
  "STD-105/sid-huge": set("with a sid of more than 1 KiB", { sid: "s".repeat(2000) }),
  "STD-105/sub-empty": subject(""),
  "STD-105/sub-number": subject(12_345),
  "STD-105/sub-array": subject(["sub"]),
  "STD-105/sub-huge": subject("s".repeat(2000)),
  "STD-106/events-array": set("with events in an array", { events: [event] }),
  "STD-106/events-text": set("with events as a text", { events: event }),
  "STD-106/events-null": set("with events null", { events: null }),
  "STD-106/event-null": set("with a null event", { events: { [event]: null } }),
  "STD-106/event-text": set("with an event as a text", { events: { [event]: "{}" } }),
  "STD-106/event-array": set("with an event as an array", { events: { [event]: [] } }),
  "STD-106/event-number": set("with an event as a number", { events: { [event]: 1 } }),
  "STD-107/null": set("with a null nonce", { nonce: null }),
  "STD-107/empty": set("with an empty nonce", { nonce: "" }),
  "STD-108/logout+jwt": good("of the type logout+jwt", typ("logout+jwt")),
  "STD-108/JWT": good("of the type JWT", typ("JWT")),
  "STD-108/at+jwt": bad("of the type at+jwt", typ("at+jwt")),
  "STD-109/sid-only": good("with sid alone", { claims: (own) => without(own, "sub") }),
  "STD-109/sub-only": good("with sub alone", { claims: (own) => without(own, "sid") }),
  "STD-114": set("of another issuer with the same sub and sid", {
    iss: "https://issuer-b.example",
  }),
  "STD-115/future": claims("issued an hour from now", (own, { nowSeconds }) => ({
    ...own,
    iat: nowSeconds + 3600,
    exp: nowSeconds + 3720,
  })),
  "STD-115/long-lived": {
    ...claims("that lives a day", (own, { nowSeconds }) => ({ ...own, exp: nowSeconds + 86_400 })),
    expect: "either",
  },
  "STD-116": claims("that is an ID token", (own, { nowSeconds }) => ({
    ...without(own, "events", "jti"),
    nonce: "a-nonce",
    auth_time: nowSeconds,
  })),
  "STD-125": entry("signed-out", "has an end_session_endpoint with a query of its own", {
    metadata: (metadata) => addSuffix(metadata, "end_session_endpoint", "?tenant=a%26b"),
  }),
  "STD-127": entry("signed-out", "returns from the end of the session with a hostile state", {
    afterLogout: () => [
      ["state", "https://evil.example/"],
      ["returnTo", "//evil.example"],
    ],
  }),
  "PROVIDERS/logout-without-exp": {
    ...claims("without exp, as older providers send it", (own) => without(own, "exp")),
    expect: "either",
  },
} satisfies Readonly<Record<string, Entry>>;

function subject(value: unknown): Entry {
  return claims("with an odd sub and no sid", (own) => ({ ...without(own, "sid"), sub: value }));
}
