import { existsSync } from "node:fs";

import { isLoopback } from "../../../config/rules/rule.ts";
import { type Answer, isResponse } from "../ask.ts";
import { failure, type Judgement, notAsked, ok } from "../finding.ts";
import type { ProviderAnswers } from "./ask-provider.ts";

/** What is to know of the network beside the answers. */
export interface ProviderFacts extends ProviderAnswers {
  /** The proxy variables of this shell. */
  readonly proxy: Proxy | null;
  readonly isInContainer: boolean;
  /** A file of `NODE_EXTRA_CA_CERTS` that cannot be read; Node goes on without it. */
  readonly missingCertificates: string | null;
}

export interface Proxy {
  readonly variable: string;
  /** Node uses it by NODE_USE_ENV_PROXY only. */
  readonly isUsed: boolean;
}

/** Returns the variable with the proxy for an address; `null` if none applies. */
export function proxyFor(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Proxy | null {
  const { protocol, hostname } = new URL(address);
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const variable = [name.toLowerCase(), name].find((each) => environment[each]);
  const excluded = (environment["no_proxy"] || environment["NO_PROXY"] || "").split(/[\s,]+/);
  const isExcluded = excluded.some(
    (each) => each === "*" || (each !== "" && hostname.endsWith(each.replace(/^\*/, ""))),
  );
  if (variable === undefined || isExcluded) return null;
  const isUsed =
    environment["NODE_USE_ENV_PROXY"] === "1" ||
    /--use-env-proxy/.test(environment["NODE_OPTIONS"] ?? "");
  return { variable, isUsed };
}

/** Returns the file of `NODE_EXTRA_CA_CERTS` if it cannot be read; `null` if all is well. */
export function findMissingCertificates(
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const file = environment["NODE_EXTRA_CA_CERTS"];
  return file && !existsSync(file) ? file : null;
}

const isOfCertificate = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code);

/** A certificate that is not trusted proves TLS, too. */
const speaks = (answer: Answer | null): boolean =>
  answer !== null && (isResponse(answer) || isOfCertificate(answer.code));

export function judgeReachable(facts: ProviderFacts): Judgement {
  const { discovery, otherScheme, proxy, missingCertificates, config } = facts;
  if (discovery.kind === "response") {
    const tookMs = discovery.receivedAt - discovery.sentAt;
    if (tookMs <= config.httpTimeout) return ok;
    return failure(
      `The provider answers after ${tookMs} ms, and LATCHKEY_HTTP_TIMEOUT is ${config.httpTimeout}.`,
      "Raise LATCHKEY_HTTP_TIMEOUT.",
    );
  }
  const { code, message, url } = discovery;
  const host = new URL(url).host;
  if (speaks(otherScheme)) return notAsked("D13 says more");
  if (proxy?.isUsed === true && !isOfCertificate(code)) {
    return failure(
      `${host} cannot be reached by the proxy of ${proxy.variable}: ${message || code}.`,
      `Correct ${proxy.variable}, or name ${host} in NO_PROXY if it needs no proxy.`,
    );
  }
  if (proxy !== null && !isLoopback(url) && !isOfCertificate(code)) {
    return failure(
      `${host} cannot be reached, and Node does not use the proxy of ${proxy.variable}.`,
      "Set NODE_USE_ENV_PROXY=1, for the app, too.",
    );
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) {
    return failure(
      `The name ${host} cannot be resolved.`,
      "Correct LATCHKEY_ISSUER_BASE_URL, or the DNS and the network of this machine.",
    );
  }
  if (/ECONNREFUSED/.test(code)) return judgeRefused(facts);
  if (/Timeout|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT/.test(code)) {
    return failure(
      `${host} does not answer within 5 seconds.`,
      "See that a firewall lets this machine reach it, and set HTTPS_PROXY with NODE_USE_ENV_PROXY=1 if the network needs a proxy.",
    );
  }
  if (isOfCertificate(code)) return judgeCertificate(discovery, missingCertificates);
  return failure(`${host} cannot be reached: ${message || code}.`, "Try the address with curl -v.");
}

function judgeRefused({ discovery: { url }, neighbors, isInContainer }: ProviderFacts): Judgement {
  const { host } = new URL(url);
  const neighbor = neighbors.find(isResponse);
  if (neighbor !== undefined) {
    return failure(
      `Nothing listens at ${host}, but ${new URL(neighbor.url).host} answers.`,
      "Use the same name of this machine in the provider and in LATCHKEY_ISSUER_BASE_URL.",
    );
  }
  if (isLoopback(url) && isInContainer) {
    return failure(
      `Nothing listens at ${host}, which is this container itself.`,
      `Start the provider here (npx latchkey provider), or set LATCHKEY_METADATA_URL to the metadata at the address for containers: the name of the service, or host.docker.internal.`,
    );
  }
  return failure(
    `Nothing listens at ${host}.`,
    isLoopback(url)
      ? "Start the provider: npx latchkey provider starts a local one."
      : "See that the provider runs and that a firewall lets this machine reach it.",
  );
}

function judgeCertificate(
  { url, code, message }: Extract<Answer, { kind: "fault" }>,
  missingCertificates: string | null,
): Judgement {
  const { host } = new URL(url);
  if (/ALTNAME/.test(code)) {
    return failure(
      `The certificate of ${host} is for another name: ${message}.`,
      "Use the name of the certificate in LATCHKEY_ISSUER_BASE_URL, or give the provider a certificate for this one.",
    );
  }
  if (missingCertificates !== null) {
    return failure(
      `The certificate of ${host} is not trusted, and NODE_EXTRA_CA_CERTS names ${missingCertificates}, which cannot be read.`,
      "Correct the path in NODE_EXTRA_CA_CERTS.",
    );
  }
  return failure(
    `The certificate of ${host} is not trusted: ${message}.`,
    code === "CERT_HAS_EXPIRED"
      ? "Renew the certificate at the provider."
      : "Name the certificate of the authority with NODE_EXTRA_CA_CERTS, or send the whole chain at the provider.",
  );
}

export function judgeScheme({ discovery, otherScheme, config }: ProviderAnswers): Judgement {
  if (discovery.kind === "response" || !speaks(otherScheme)) return ok;
  const [said, spoken] = config.issuerBaseURL.startsWith("https:")
    ? ["https", "http"]
    : ["http", "https"];
  return failure(
    `LATCHKEY_ISSUER_BASE_URL is ${said}, and the provider speaks ${spoken}.`,
    `Write ${spoken}:// in LATCHKEY_ISSUER_BASE_URL.`,
  );
}
