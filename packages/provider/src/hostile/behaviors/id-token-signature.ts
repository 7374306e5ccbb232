import { generateKeyPairSync } from "node:crypto";
import type { JWK } from "jose";
import type { Members, Situation } from "../behavior.ts";
import type { Signer } from "../key-ring.ts";
import {
  decoyEC,
  decoyRSA,
  hmacSigner,
  ownSigner,
  signerOf,
  unpublishedSigner,
} from "../key-ring.ts";
import type { Entry } from "./entry.ts";
import { badIDToken, entry, goodIDToken, without } from "./entry.ts";

type OtherAlgorithm = "PS256" | "ES256" | "EdDSA" | "HS256" | "RS512" | "PS384" | "HS512";

const unsigned = () => null;

/** ID tokens with a wrong signature or key, and valid but unusual ones. */
export const idTokenSignature = {
  "CERT-012": entry("accept", "publishes decoys around its keys, none with an alg", {}),
  "CERT-029": entry("accept", "signs with RS256", { alg: "RS256" }),
  "CERT-030": badIDToken("is not signed at all", { signer: unsigned }),
  "CERT-031": withCorruptSignature("RS256"),
  "CERT-032": withCorruptSignature("ES256"),
  "CERT-033": withCorruptSignature("HS256"),
  "CERT-034": goodIDToken(
    "has no kid while exactly one key is published",
    { header: (header) => without(header, "kid") },
    {
      behavior: { keySet: (keys, { keys: own }) => keys.filter(({ kid }) => kid === own.rsa.kid) },
    },
  ),
  "CERT-035": {
    ...goodIDToken(
      "has no kid while three keys of each type are published, none with a kid",
      { header: (header) => without(header, "kid") },
      { behavior: { keySet: (keys) => [...keys, ...furtherKeys()].map(withoutKid) } },
    ),
    expect: "either",
  },
  "CERT-063": entry(
    "accept",
    "has new keys at each sign-in",
    { newKeys: "before-sign-in" },
    {
      secondSignIn: true,
    },
  ),
  "CERT-064": entry(
    "accept",
    "changes its keys just before it signs",
    { newKeys: "before-signing" },
    {
      secondSignIn: true,
    },
  ),
  "CERT-090/PS256": signedWith("PS256"),
  "CERT-090/ES256": signedWith("ES256"),
  "CERT-090/EdDSA": signedWith("EdDSA"),
  "CERT-090/HS256": signedWith("HS256"),
  "CERT-090/RS512": signedWith("RS512"),
  "CERT-090/PS384": signedWith("PS384"),
  "CERT-090/HS512": signedWith("HS512"),
  "FAPI-008": badIDToken("has alg none and a signature", {
    header: (header) => ({ ...header, alg: "none" }),
  }),
  "FAPI-009": badIDToken("has a valid signature of an algorithm that is not the registered one", {
    signer: otherAlgorithm,
  }),
  "FAPI-WATCH/decoys-share-kid": entry("accept", "publishes decoys under the kid of the real key", {
    keySet: (keys, situation) => [...decoysNamed(kidOf(situation)), ...keys],
  }),
  "STD-008/jwk": badIDToken("contains its own key in jwk", { signer: bringsKey("jwk") }),
  "STD-008/jku": badIDToken("names a key set elsewhere in jku", { signer: bringsKey("jku") }),
  "STD-008/x5u": badIDToken("names a certificate elsewhere in x5u", { signer: bringsKey("x5u") }),
  "STD-008/x5c": badIDToken("contains its own certificate in x5c", { signer: bringsKey("x5c") }),
  "STD-009/pem": badIDToken("is signed with HS256 and the public key as PEM", {
    signer: ({ keys }) => {
      const pem = keys.rsa.publicKey.export({ format: "pem", type: "spki" });
      return { ...hmacSigner(Buffer.from(pem)), kid: keys.rsa.kid };
    },
  }),
  "STD-009/der": badIDToken("is signed with HS256 and the public key as DER", {
    signer: ({ keys }) => {
      const der = keys.rsa.publicKey.export({ format: "der", type: "spki" });
      return { ...hmacSigner(der), kid: keys.rsa.kid };
    },
  }),
  "STD-009/jwk": badIDToken("is signed with HS256 and the public key as JWK text", {
    signer: ({ keys }) => ({
      ...hmacSigner(Buffer.from(JSON.stringify(keys.rsa.jwk))),
      kid: keys.rsa.kid,
    }),
  }),
  "STD-023": badIDToken("is signed with a key that is not published", {
    signer: ({ keys, alg }) => ({ ...unpublishedSigner(keys, alg), kid: "never-published" }),
  }),
  "STD-080/missing": badHeader("has no alg", (own) => without(own, "alg")),
  "STD-080/number": badHeader("has a number as alg", (own) => ({ ...own, alg: 256 })),
  "STD-080/array": badHeader("has alg in an array", (own) => ({ ...own, alg: [own["alg"]] })),
  "STD-080/None": badIDToken("has alg None and no signature", {
    signer: unsigned,
    header: (own) => ({ ...own, alg: "None" }),
  }),
  "STD-080/nOnE": badIDToken("has alg nOnE and no signature", {
    signer: unsigned,
    header: (own) => ({ ...own, alg: "nOnE" }),
  }),
  "STD-080/trailing-space": badHeader("has a space after alg", (own) => ({
    ...own,
    alg: `${String(own["alg"])} `,
  })),
  "STD-082/bad-keys-beside": entry("accept", "publishes broken keys beside the real ones", {
    keySet: (keys) => [...brokenKeys("broken"), ...keys],
  }),
  "STD-082/bad-keys-same-kid": entry("accept", "publishes broken keys under the real kid", {
    keySet: (keys, situation) => [...brokenKeys(kidOf(situation)), ...keys],
  }),
  "STD-082/short-key": badIDToken(
    "is signed with an RSA key of 1024 bits",
    { signer: ({ keys }) => signerOf(keys.shortRSA, "RS256") },
    { behavior: { keySet: (keys, { keys: own }) => [own.shortRSA.jwk, ...keys] } },
  ),
  "STD-085/path": badKid("has a path as kid", "../../../../etc/passwd"),
  "STD-085/sql": badKid("has SQL as kid", "' OR '1'='1"),
  "STD-085/prototype": badKid("has the name of a prototype as kid", "__proto__"),
  "STD-085/megabyte": badKid("has a kid of one megabyte", "k".repeat(1_048_576)),
  "STD-089/large-key-set": entry("refuse", "publishes a key set of more than 256 KiB", {
    keySet: (keys) => [{ ...decoyRSA(), "urn:example:padding": "x".repeat(300_000) }, ...keys],
  }),
  "STD-089/many-keys": entry("refuse", "publishes more than 100 keys", {
    keySet: (keys) => [...Array.from({ length: 150 }, () => decoyRSA()), ...keys],
  }),
} satisfies Readonly<Record<string, Entry>>;

/** With the published keys, these are three of each type. */
function furtherKeys(): readonly JWK[] {
  const curves = ["P-256", "secp256k1", "secp256k1"];
  const keys = [decoyRSA(), ...curves.map(decoyEC), decoyEd25519(), decoyEd25519()];
  return keys.map((key) => ({ ...key, use: "sig" }));
}

function decoyEd25519(): JWK {
  return generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
}

function withoutKid({ kid: _kid, ...key }: JWK): JWK {
  return key;
}

function signedWith(alg: OtherAlgorithm): Entry {
  return entry("accept", `signs with ${alg}`, { alg });
}

function withCorruptSignature(alg: "RS256" | "ES256" | "HS256"): Entry {
  const says = `has a corrupted ${alg} signature`;
  return badIDToken(says, { text: corruptSignature }, { behavior: { alg } });
}

/** A token with the first byte of its signature changed. */
export function corruptSignature(token: string): string {
  const [head = "", payload = "", signature = ""] = token.split(".");
  const bytes = Buffer.from(signature, "base64url");
  bytes[0] = (bytes[0] ?? 0) ^ 0xff;
  return `${head}.${payload}.${bytes.toString("base64url")}`;
}

function badHeader(says: string, change: (own: Members) => Members): Entry {
  return badIDToken(says, { header: change });
}

function badKid(says: string, value: string): Entry {
  return badHeader(says, (own) => ({ ...own, kid: value }));
}

function kidOf({ keys, alg, client }: Situation): string {
  return ownSigner(keys, alg, client.secret).kid ?? "none";
}

/** Signs with a published key and another algorithm than the registered one. */
export function otherAlgorithm({ keys, alg, client }: Situation): Signer {
  return ownSigner(keys, alg === "ES256" ? "RS256" : "ES256", client.secret);
}

/** Signs with the attacker's key, which a header member contains or points to. */
function bringsKey(member: "jwk" | "jku" | "x5u" | "x5c"): (situation: Situation) => Signer {
  return ({ strangerURL }) => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const kidOfAttacker = "key-of-the-attacker";
    const offers = {
      jwk: () => ({ ...publicKey.export({ format: "jwk" }), kid: kidOfAttacker }),
      jku: () => `${strangerURL}/keys`,
      x5u: () => `${strangerURL}/certificate`,
      x5c: () => [publicKey.export({ format: "der", type: "spki" }).toString("base64")],
    };
    const signer = signerOf({ privateKey, kid: kidOfAttacker }, "RS256");
    return { ...signer, header: { [member]: offers[member]() } };
  };
}

function decoysNamed(name: string): readonly JWK[] {
  return [
    { ...decoyEC("P-256"), use: "sig", kid: name },
    { ...decoyRSA(), use: "enc", kid: name },
    { ...decoyRSA(), use: "sig", alg: "PS512", kid: name },
  ];
}

function brokenKeys(name: string): readonly JWK[] {
  const point = decoyEC("P-256");
  return [
    { ...point, y: point.x ?? "", use: "sig", kid: name },
    { ...decoyRSA(128), use: "sig", kid: name },
    { ...decoyRSA(), e: "Ag", use: "sig", kid: name },
    { ...decoyEC("P-384"), crv: "P-256", use: "sig", kid: name },
    { kty: "EC", kid: name },
    { kty: "unheard-of", kid: name },
  ];
}
