import { readSigningKey, type SigningKey } from "../../../oidc/issuer/signing-keys.ts";
import { type Answer, bare, isBusy, later, listOf, objectOf } from "../ask.ts";
import { failure, type Judgement, notKnown, ok, setTo, warning } from "../finding.ts";
import type { ProviderAnswers } from "./ask-provider.ts";

export function judgeAlgorithm({ metadata, keys, config }: ProviderAnswers): Judgement {
  const algorithm = config.idTokenSigningAlg;
  const offered = listOf(metadata?.["id_token_signing_alg_values_supported"]);
  if (offered.length > 0 && !offered.includes(algorithm)) {
    return failure(
      `The provider signs ID tokens with ${offered.join(", ")}, not with ${algorithm}.`,
      setTo(
        "LATCHKEY_ID_TOKEN_SIGNING_ALG",
        offered.find((each) => each !== "none"),
      ),
    );
  }
  if (algorithm.startsWith("HS") || keys === null) return ok;
  const type = /^[RP]S/.test(algorithm) ? "RSA" : algorithm.startsWith("ES") ? "EC" : "OKP";
  const signing = signingKeysOf(keys);
  if (signing.length === 0 || signing.some((key) => key.isFor(algorithm))) return ok;
  const remedy = "Choose the algorithm of its keys with LATCHKEY_ID_TOKEN_SIGNING_ALG.";
  return keysOf(keys).some((key) => key["kty"] === type)
    ? failure(`The keys of the provider are for other algorithms than ${algorithm}.`, remedy)
    : failure(`The provider has no ${type} key, which ${algorithm} needs.`, remedy);
}

/** As sign-in reads them: without those for other uses. */
function signingKeysOf(keys: Answer): readonly SigningKey[] {
  return keysOf(keys)
    .map(readSigningKey)
    .filter((key) => key !== null);
}

function keysOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  return listOf(objectOf(answer)?.["keys"]).filter(
    (key): key is Readonly<Record<string, unknown>> => typeof key === "object" && key !== null,
  );
}

export function judgeKeys({ keys, config }: ProviderAnswers): Judgement {
  if (keys === null || config.idTokenSigningAlg.startsWith("HS")) return ok;
  const at = bare(keys.url);
  if (keys.kind === "fault") return failure(`The keys at ${at} cannot be read.`, keys.message);
  if (isBusy(keys)) return notKnown(`${at} answers ${keys.status}: the provider is busy.`, later);
  if (keys.status !== 200 || objectOf(keys) === null) {
    return failure(
      `${at} is no key set: status ${keys.status}.`,
      "See that jwks_uri of the provider can be reached from this machine.",
    );
  }
  const list = keysOf(keys);
  if (list.length === 0) return failure("The key set is empty.", "Create a key at the provider.");
  if (signingKeysOf(keys).length === 0) {
    return failure(
      "The key set has no key for signatures: all are for another use, such as encryption.",
      "Let the provider publish its key with use sig, or see that jwks_uri names the right set.",
    );
  }
  const small = list.find((key) => key["kty"] === "RSA" && bitsOf(key["n"]) < 2048);
  if (small !== undefined) {
    return failure(
      `The RSA key ${String(small["kid"])} has fewer than 2048 bits and is not accepted.`,
      "Create a key of 2048 bits at the provider.",
    );
  }
  const ids = list.map((key) => key["kid"]).filter((kid) => kid !== undefined);
  if (new Set(ids).size < ids.length) {
    return warning("Two keys have one kid.", "Give each key an id of its own at the provider.");
  }
  return ok;
}

function bitsOf(modulus: unknown): number {
  return typeof modulus === "string" ? Math.floor((modulus.length * 3) / 4) * 8 : 0;
}

/** Whether the servers behind one address are one provider. */
export function judgeNodes({ metadata, again, keys, keysAgain }: ProviderAnswers): Judgement {
  const issuers = again.map((answer) => objectOf(answer)?.["issuer"] ?? null);
  const others = issuers.filter((issuer) => issuer !== null && issuer !== metadata?.["issuer"]);
  if (others.length > 0) {
    return failure(
      `The servers of the provider disagree about the issuer: ${[metadata?.["issuer"], ...others].join(", ")}.`,
      "Give all servers of the provider one public address.",
    );
  }
  const [first = [], ...more] = [keys, ...keysAgain]
    .map((each) => (each === null ? [] : keysOf(each).map(nameOf)))
    .filter((names) => names.length > 0);
  return more.every((names) => areOverlapping(first, names))
    ? ok
    : failure(
        "The servers of the provider have different keys.",
        "Give all servers of the provider the same keys: each signs what the others publish.",
      );
}

/** The id of a key, or its public value without one. */
const nameOf = (key: Readonly<Record<string, unknown>>): unknown =>
  key["kid"] ?? key["n"] ?? key["x"];

/** During a rotation one server may have a key more. */
function areOverlapping(names: readonly unknown[], others: readonly unknown[]): boolean {
  const has = (some: readonly unknown[], all: readonly unknown[]) =>
    some.every((name) => all.includes(name));
  return has(names, others) || has(others, names);
}
