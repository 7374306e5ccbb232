import type { Config } from "../../../config/config.ts";
import { isLoopback } from "../../../config/rules/rule.ts";
import { isEndpoint, metadataAddress } from "../../../oidc/issuer/metadata.ts";
import { bare, isBusy, later, listOf, objectOf, textIn } from "../ask.ts";
import {
  type Check,
  failure,
  type Judgement,
  note,
  notKnown,
  ok,
  setTo,
  warning,
} from "../finding.ts";
import type { ProviderAnswers } from "./ask-provider.ts";
import {
  judgeClient,
  judgeClientAuthentication,
  judgeLogoutAddress,
  judgeRedirect,
} from "./judge-client.ts";
import { judgeClock } from "./judge-clock.ts";
import { judgeAlgorithm, judgeKeys, judgeNodes } from "./judge-keys.ts";
import { judgeReachable, judgeScheme, type ProviderFacts } from "./judge-reachable.ts";

function judgeDiscovery({ discovery, metadata, elsewhere, config }: ProviderAnswers): Judgement {
  if (discovery.kind === "fault" || metadata?.["issuer"] !== undefined) return ok;
  const place = bare(discovery.url);
  const issuer = elsewhere === null ? undefined : objectOf(elsewhere)?.["issuer"];
  const remedy =
    typeof issuer === "string"
      ? `${setTo("LATCHKEY_ISSUER_BASE_URL", issuer)}, which has metadata.`
      : config.metadataURL === undefined
        ? "Set LATCHKEY_ISSUER_BASE_URL to the issuer in the settings of your provider."
        : "Set LATCHKEY_METADATA_URL to the address of the metadata at your provider.";
  const type = discovery.headers.get("content-type") ?? "no type";
  if (isBusy(discovery)) {
    return notKnown(`${place} answers ${discovery.status}: the provider is busy.`, later);
  }
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
    setTo("LATCHKEY_ISSUER_BASE_URL", issuer) + remedyForAddress(issuer, config),
  );
}

/** What to set beside the issuer, if its metadata have another address. */
function remedyForAddress(issuer: string, config: Config): string {
  const { metadataURL } = config;
  if (metadataURL !== undefined) return ", or its public address at the provider";
  const address = metadataAddress(config);
  if (metadataAddress({ issuerBaseURL: issuer, metadataURL }) === address) return "";
  // Plain http would be refused for an issuer on the network.
  if (issuer.startsWith("https:") && !address.startsWith("https:")) return "";
  return `, and if it has no metadata there, LATCHKEY_METADATA_URL=${address}`;
}

/** Endpoints that give no answer at all; the keys have a check of their own. */
function judgeSilent(answers: ProviderAnswers): readonly Judgement[] {
  const { authorization, endSession, tokenHead, config } = answers;
  // With two addresses of the provider, these pages are for browsers alone.
  const pages = config.metadataURL === undefined ? [authorization, endSession] : [];
  return [...pages, tokenHead].flatMap((answer) => {
    if (answer?.kind !== "fault" || answer.code === "") return [];
    const why = /Timeout/.test(answer.code) ? "no answer within 5 seconds" : answer.message;
    return [
      failure(
        `${bare(answer.url)} cannot be reached: ${why}.`,
        "Let the metadata name addresses that this machine reaches, or open the network to them.",
      ),
    ];
  });
}

function judgeEndpoints(answers: ProviderAnswers): readonly Judgement[] {
  const { metadata, refusal, config } = answers;
  const required = ["authorization_endpoint", "token_endpoint", "jwks_uri"];
  const faults = required.flatMap((name) => {
    const address = metadata?.[name];
    if (typeof address !== "string" || !URL.canParse(address)) {
      return [failure(`The metadata have no ${name}.`, "Is this the issuer of the right server?")];
    }
    const isUsable = isEndpoint(address, config.issuerBaseURL, config.metadataURL);
    if (address.startsWith("http:") && !isUsable) {
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
  if (refusal !== null) {
    return [failure(`The metadata cannot be used: ${refusal}.`, "Correct them at the provider.")];
  }
  const silent = judgeSilent(answers);
  if (silent.length > 0) return silent;
  if (answers.unusable.length > 0) {
    return answers.unusable.map((each) => warning(each, "Correct it at the provider."));
  }
  const isWithoutLogout = metadata?.["end_session_endpoint"] == null;
  return [
    isWithoutLogout ? note("The provider has no end of session: logout ends ours only.") : ok,
  ];
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
  const isHidden = isPrivate(config.baseURL) && !isPrivate(config.issuerBaseURL);
  return isHidden
    ? note(`The provider cannot reach ${config.baseURL}, so it cannot send logout tokens there.`)
    : ok;
}

/** An address of this machine or of a private network (RFC 1918). */
function isPrivate(address: string): boolean {
  const { hostname } = new URL(address);
  const isOfNetwork = /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+)+$/.test(hostname);
  return isLoopback(address) || isOfNetwork || /\.(?:local|internal|lan)$/.test(hostname);
}

/** If the provider requires pushed requests, they are pushed without a setting. */
function judgePushed({ metadata, config }: ProviderAnswers): Judgement {
  const isOffered = metadata?.["pushed_authorization_request_endpoint"] !== undefined;
  return config.pushedAuthorizationRequests === true && !isOffered
    ? failure(
        "The provider accepts no pushed authorization requests.",
        "Remove LATCHKEY_PUSHED_AUTHORIZATION_REQUESTS.",
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
  const methods = metadata?.["code_challenge_methods_supported"];
  if (methods !== undefined && !listOf(methods).includes("S256")) {
    return failure(
      "The provider does not offer the code challenge method S256.",
      "Let the provider offer PKCE with S256 for this client.",
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

/** Checks of what the provider answered. */
export const providerChecks: readonly Check<ProviderFacts>[] = [
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
