import { clientAuthMethod } from "../../../oidc/client-authentication.ts";
import { redirectURI } from "../../../oidc/authorization-request.ts";
import { isLoopback } from "../../../config/rules/rule.ts";
import { landingURL } from "../../../request/addresses.ts";
import { type Answer, bare, objectOf, textIn } from "../ask.ts";
import {
  type Check,
  failure,
  type Judgement,
  note,
  notAsked,
  notKnown,
  ok,
  warning,
} from "../finding.ts";
import type { ProviderAnswers } from "./ask-provider.ts";
import { judgeAuthorization, namesClient } from "./redirect-verdict.ts";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function judgeReachable({ discovery, otherScheme }: ProviderAnswers): Judgement {
  if (discovery.kind === "response") return ok;
  const { code, message, url } = discovery;
  const host = new URL(url).host;
  if (otherScheme?.kind === "response") return notAsked("D13 says more");
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) {
    return failure(
      `The name ${host} cannot be resolved.`,
      "Correct LATCHKEY_ISSUER_BASE_URL, or the DNS and the network of this machine.",
    );
  }
  if (/ECONNREFUSED/.test(code)) {
    return failure(
      `Nothing listens at ${host}.`,
      isLoopback(url)
        ? "Start the provider: npx latchkey provider starts a local one."
        : "See that the provider runs and that a firewall lets this machine reach it.",
    );
  }
  if (/Timeout|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT/.test(code)) {
    return failure(
      `${host} does not answer within 5 seconds.`,
      "See that a firewall lets this machine reach it, and set HTTPS_PROXY with NODE_USE_ENV_PROXY=1 if the network needs a proxy.",
    );
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
    return failure(
      `The certificate of ${host} is not trusted: ${message}.`,
      code === "CERT_HAS_EXPIRED"
        ? "Renew the certificate at the provider."
        : "Name the certificate of the authority with NODE_EXTRA_CA_CERTS, or send the whole chain at the provider.",
    );
  }
  return failure(`${host} cannot be reached: ${message || code}.`, "Try the address with curl -v.");
}

function judgeScheme({ discovery, otherScheme, config }: ProviderAnswers): Judgement {
  if (discovery.kind === "response" || otherScheme?.kind !== "response") return ok;
  const [said, spoken] = config.issuerBaseURL.startsWith("https:")
    ? ["https", "http"]
    : ["http", "https"];
  return failure(
    `LATCHKEY_ISSUER_BASE_URL is ${said}, and the provider speaks ${spoken}.`,
    `Write ${spoken}:// in LATCHKEY_ISSUER_BASE_URL.`,
  );
}

function judgeDiscovery({ discovery, metadata, elsewhere }: ProviderAnswers): Judgement {
  if (discovery.kind === "fault" || metadata?.["issuer"] !== undefined) return ok;
  const place = bare(discovery.url);
  const issuer = elsewhere === null ? undefined : objectOf(elsewhere)?.["issuer"];
  const remedy =
    typeof issuer === "string"
      ? `Set LATCHKEY_ISSUER_BASE_URL=${issuer}, which has metadata.`
      : "Set LATCHKEY_ISSUER_BASE_URL to the issuer in the settings of your provider.";
  const type = discovery.headers.get("content-type") ?? "no type";
  if (discovery.status >= 300 && discovery.status < 400) {
    return failure(`${place} redirects elsewhere, to a login or another host.`, remedy);
  }
  if (discovery.status !== 200) return failure(`${place} answers ${discovery.status}.`, remedy);
  if (/html/i.test(type) || /^\s*</.test(discovery.text)) {
    return failure(
      `${place} is a web page, not metadata: of the provider's console, or of a network that wants a login first.`,
      remedy,
    );
  }
  return failure(`${place} is no metadata of a provider (${type}).`, remedy);
}

function judgeIssuer({ metadata, config }: ProviderAnswers): Judgement {
  const issuer = textIn(metadata, "issuer");
  if (issuer === config.issuerBaseURL || issuer === "") return ok;
  if (/\{tenantid\}/i.test(issuer)) {
    return config.tenants === undefined
      ? failure(
          "This is the address of every tenant of Entra ID.",
          "Use the address of your tenant, or set LATCHKEY_TENANTS.",
        )
      : ok;
  }
  return failure(
    `The metadata name the issuer ${issuer}, and LATCHKEY_ISSUER_BASE_URL is ${config.issuerBaseURL}.`,
    `Set LATCHKEY_ISSUER_BASE_URL=${issuer}`,
  );
}

function judgeEndpoints({ metadata }: ProviderAnswers): readonly Judgement[] {
  const required = ["authorization_endpoint", "token_endpoint", "jwks_uri"];
  const faults = required.flatMap((name) => {
    const address = metadata?.[name];
    if (typeof address !== "string" || !URL.canParse(address)) {
      return [failure(`The metadata have no ${name}.`, "Is this the issuer of the right server?")];
    }
    if (address.startsWith("http:") && !isLoopback(address)) {
      return [
        failure(
          `${name} is http: ${bare(address)}.`,
          "Set the public https address at the provider.",
        ),
      ];
    }
    return [];
  });
  if (faults.length > 0) return faults;
  const isWithoutLogout = metadata?.["end_session_endpoint"] === undefined;
  return [
    isWithoutLogout ? note("The provider has no end of session: logout ends ours only.") : ok,
  ];
}

function judgeAlgorithm({ metadata, keys, config }: ProviderAnswers): Judgement {
  const algorithm = config.idTokenSigningAlg;
  const offered = listOf(metadata?.["id_token_signing_alg_values_supported"]);
  if (offered.length > 0 && !offered.includes(algorithm)) {
    return failure(
      `The provider signs ID tokens with ${offered.join(", ")}, not with ${algorithm}.`,
      `Set LATCHKEY_ID_TOKEN_SIGNING_ALG=${String(offered.find((each) => each !== "none"))}`,
    );
  }
  if (algorithm.startsWith("HS") || keys === null) return ok;
  const type = /^[RP]S/.test(algorithm) ? "RSA" : algorithm.startsWith("ES") ? "EC" : "OKP";
  const found = keysOf(keys).some((key) => key["kty"] === type);
  if (found || keysOf(keys).length === 0) return ok;
  return failure(
    `The provider has no ${type} key, which ${algorithm} needs.`,
    "Choose the algorithm of its keys with LATCHKEY_ID_TOKEN_SIGNING_ALG.",
  );
}

function keysOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  return listOf(objectOf(answer)?.["keys"]).filter(
    (key): key is Readonly<Record<string, unknown>> => typeof key === "object" && key !== null,
  );
}

function judgeKeys({ keys, config }: ProviderAnswers): Judgement {
  if (keys === null || config.idTokenSigningAlg.startsWith("HS")) return ok;
  const at = bare(keys.url);
  if (keys.kind === "fault") return failure(`The keys at ${at} cannot be read.`, keys.message);
  if (keys.status !== 200 || objectOf(keys) === null) {
    return failure(
      `${at} is no key set: status ${keys.status}.`,
      "See that jwks_uri of the provider can be reached from this machine.",
    );
  }
  const list = keysOf(keys);
  if (list.length === 0) return failure("The key set is empty.", "Create a key at the provider.");
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

function judgeClientAuthentication({ metadata, config }: ProviderAnswers): Judgement {
  const offered = listOf(
    metadata?.["token_endpoint_auth_methods_supported"] ?? ["client_secret_basic"],
  );
  if (config.clientAuthMethod === undefined && config.clientSecret !== undefined) {
    const usable = ["client_secret_basic", "client_secret_post"].some((each) =>
      offered.includes(each),
    );
    if (usable) return ok;
  }
  const method = config.clientAuthMethod ?? clientAuthMethod(config, metadata as never);
  if (offered.includes(method)) return ok;
  return failure(
    `The provider does not offer ${method}, but ${offered.join(", ")}.`,
    "Set LATCHKEY_CLIENT_AUTH_METHOD to one of them that fits your client.",
  );
}

function judgeClient({ token, authorization, config }: ProviderAnswers): Judgement {
  if (authorization !== null && namesClient(authorization)) {
    return failure(
      `The provider does not know the client ${config.clientID}.`,
      "Compare LATCHKEY_CLIENT_ID with the settings of the provider; the issuer may be another one, too.",
    );
  }
  if (token === null)
    return notAsked("only with --probe: it leaves a failed event at the provider");
  if (token.kind === "fault")
    return notKnown(`The token endpoint did not answer: ${token.message}`);
  const error = textIn(objectOf(token), "error");
  if (/invalid_grant|invalid_code/.test(error)) return ok;
  if (/invalid_client|unauthorized_client/.test(error) || token.status === 401) {
    return failure(
      `The provider refuses this client (${error || token.status}).`,
      "Compare LATCHKEY_CLIENT_ID and LATCHKEY_CLIENT_SECRET with the provider, and the client authentication that it expects.",
    );
  }
  return notKnown(`The token endpoint answered ${token.status} ${error}.`);
}

function judgeRedirect({ authorization, config, state }: ProviderAnswers): Judgement {
  const address = redirectURI(config);
  if (authorization === null) {
    return notAsked("this provider stores the first address that it sees: use --probe");
  }
  const verdict = judgeAuthorization(authorization, address, state);
  if (verdict === "accepted") return ok;
  if (verdict === "refused") {
    return failure(
      `The provider refuses the redirect address ${address}.`,
      `Register exactly ${address} for the client ${config.clientID}.`,
    );
  }
  return notKnown(
    "The answer of the provider does not show if the redirect address is registered.",
    `Open ${config.baseURL}${config.routes.login}; an error page instead of a sign-in means that ${address} is not registered.`,
  );
}

function judgeLogoutAddress({ endSession, config }: ProviderAnswers): Judgement {
  if (endSession === null || endSession.kind === "fault") return ok;
  const said = `${endSession.headers.get("location") ?? ""} ${endSession.text}`;
  const isRefused =
    endSession.status >= 400 && /post_logout_redirect_uri|logout.{0,20}ur[li]|returnTo/i.test(said);
  const address = landingURL(config);
  return isRefused
    ? failure(
        `The provider refuses the address after logout, ${address}.`,
        `Register exactly ${address} as post-logout redirect address.`,
      )
    : ok;
}

function judgeBackChannel({ metadata, config }: ProviderAnswers): Judgement {
  if (metadata?.["backchannel_logout_supported"] !== true) return ok;
  if (!config.backchannelLogout) {
    if (isLoopback(config.baseURL)) return ok;
    return note(
      "The provider offers back-channel logout, which is off here.",
      "With a store, LATCHKEY_BACKCHANNEL_LOGOUT=true ends sessions that end at the provider.",
    );
  }
  const isHidden = isLoopback(config.baseURL) && !isLoopback(config.issuerBaseURL);
  return isHidden
    ? note(`The provider cannot reach ${config.baseURL}, so it cannot send logout tokens there.`)
    : ok;
}

function judgePushed({ metadata, config }: ProviderAnswers): Judgement {
  const isRequired = metadata?.["require_pushed_authorization_requests"] === true;
  return isRequired && !config.pushedAuthorizationRequests
    ? failure(
        "The provider accepts pushed authorization requests only.",
        "Set LATCHKEY_PUSHED_AUTHORIZATION_REQUESTS=true",
      )
    : ok;
}

function judgeResponse({ metadata, config }: ProviderAnswers): Judgement {
  const types = listOf(metadata?.["response_types_supported"]).map((each) =>
    String(each).split(" ").toSorted().join(" "),
  );
  const type = config.responseType.split(" ").toSorted().join(" ");
  if (types.length > 0 && !types.includes(type)) {
    return failure(
      `The provider does not offer the response type ${config.responseType}.`,
      `Choose one of ${types.join(", ")}; code is the best.`,
    );
  }
  const modes = metadata?.["response_modes_supported"];
  const offered = modes === undefined ? ["query", "fragment"] : listOf(modes);
  return offered.includes(config.responseMode)
    ? ok
    : failure(
        `The provider does not offer the response mode ${config.responseMode}.`,
        "Set LATCHKEY_RESPONSE_MODE=query with the response type code.",
      );
}

function judgeClock({ discovery, again, config }: ProviderAnswers): Judgement {
  const offsets = [discovery, ...again].flatMap((answer) => {
    if (answer.kind === "fault" || Number(answer.headers.get("age") ?? 0) > 0) return [];
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (Number.isNaN(date)) return [];
    const { sentAt, receivedAt } = answer;
    const middle = (sentAt + receivedAt) / 2;
    return [{ offset: (date + 500 - middle) / 1000, trip: (receivedAt - sentAt) / 1000 }];
  });
  const [best] = offsets.toSorted((one, other) => one.trip - other.trip);
  if (best === undefined) return notKnown("The provider sends no date of its own.");
  const seconds = Math.round(best.offset);
  const said = `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "behind" : "ahead of"} the provider's.`;
  const spread = Math.max(...offsets.map((each) => Math.abs(each.offset - best.offset)));
  if (spread > 30) return notKnown("The servers of the provider disagree about the time.");
  if (Math.abs(best.offset) > config.clockTolerance) {
    return failure(said, "Set the clock of this machine with NTP.");
  }
  return Math.abs(best.offset) > 5 + best.trip / 2
    ? warning(said, "Set the clock of this machine with NTP.")
    : ok;
}

function judgeNodes({ metadata, again }: ProviderAnswers): Judgement {
  const issuers = again.map((answer) => objectOf(answer)?.["issuer"] ?? null);
  const others = issuers.filter((issuer) => issuer !== null && issuer !== metadata?.["issuer"]);
  return others.length > 0
    ? failure(
        `The servers of the provider disagree about the issuer: ${[metadata?.["issuer"], ...others].join(", ")}.`,
        "Give all servers of the provider one public address.",
      )
    : ok;
}

/** Checks of what the provider answered. */
export const providerChecks: readonly Check<ProviderAnswers>[] = [
  { id: "D13", title: "http or https of the provider", judge: judgeScheme },
  { id: "D12", title: "the provider can be reached", judge: judgeReachable, after: ["D13"] },
  { id: "D14", title: "metadata", judge: judgeDiscovery, after: ["D12", "D13"] },
  { id: "D27", title: "servers of the provider agree", judge: judgeNodes, after: ["D12", "D14"] },
  { id: "D15", title: "issuer of the metadata", judge: judgeIssuer, after: ["D12", "D14"] },
  ...(
    [
      ["D16", "endpoints", judgeEndpoints],
      ["D18", "keys", judgeKeys],
      ["D17", "signing algorithm", judgeAlgorithm],
      ["D19", "client authentication", judgeClientAuthentication],
      ["D24", "pushed authorization requests", judgePushed],
      ["D25", "response type and mode", judgeResponse],
      ["D20", "client", judgeClient],
      ["D21", "redirect address", judgeRedirect, "D29"],
      ["D22", "address after logout", judgeLogoutAddress, "D29"],
      ["D23", "back-channel logout", judgeBackChannel],
    ] as const
  ).map(([id, title, judge, ...more]) => ({
    id,
    title,
    judge,
    after: ["D12", "D13", "D14", "D15", "D27", ...(id === "D16" ? [] : ["D16"]), ...more],
  })),
  { id: "D26", title: "clock", judge: judgeClock, after: ["D12", "D13", "D14"] },
];
