import type { Site } from "../../components/page-frame.tsx";
import type { PageProblem, PageProblemKind } from "./page-problem.ts";

type Hints = (site: Site) => readonly string[];

const cookieHints: Hints = ({ baseURL, host }) => [
  `You opened the app at another host than ${host}: cookies belong to one host only. Open ${baseURL}.`,
  "The base address says https, but the app is reached over http, or the other way round: the cookie's Secure flag then keeps it away.",
  "The callback came with a bookmark, with Back, or more than an hour after the login.",
];

const hints: Partial<Readonly<Record<PageProblemKind, Hints>>> = {
  "restart-missing": cookieHints,
  "restart-unreadable": () => [
    "The secret (LATCHKEY_SECRET) changed while this sign-in was under way.",
    "Another app on the same host uses the same cookie name: set LATCHKEY_TRANSACTION_COOKIE_NAME.",
  ],
  "state-mismatch": cookieHints,
  "cookies-blocked": cookieHints,
  loop: ({ baseURL }) => [
    `The app is reached over http, but ${baseURL} says https: browsers keep Secure cookies away.`,
    `The app is opened at another address than ${baseURL}.`,
    "The session needs more bytes of cookies than the proxy lets through.",
  ],
  "link-incomplete": () => [
    "The callback address was opened by hand or from a bookmark.",
    "The provider answers with form_post while the app expects a query, or the other way round: LATCHKEY_RESPONSE_MODE.",
  ],
  "code-used": () => [
    "Back or Refresh sent the same code twice.",
    "The redirect address of the token request is not the one of the login: check LATCHKEY_BASE_URL.",
  ],
  "setup-wrong": ({ baseURL }) => [
    "The client secret or the client authentication method is not what the provider expects: LATCHKEY_CLIENT_SECRET, LATCHKEY_CLIENT_AUTH_METHOD.",
    `The provider does not know the callback address below ${baseURL}.`,
    "LATCHKEY_ISSUER_BASE_URL is not exactly the issuer that the provider calls itself; a slash at the end counts.",
  ],
  "not-confirmed": () => [
    "LATCHKEY_CLIENT_ID is not the client that the provider made the ID token for.",
    "The provider signs with another algorithm: LATCHKEY_ID_TOKEN_SIGNING_ALG.",
    "LATCHKEY_ISSUER_BASE_URL points to another tenant.",
  ],
  "clock-skew": () => [
    "The clock of this machine is wrong; containers drift after sleep. Sync it.",
    "The provider's clock is wrong: LATCHKEY_CLOCK_TOLERANCE allows more than 60 seconds.",
  ],
  "session-too-large": () => [
    "The ID token carries long lists such as groups: filter them with LATCHKEY_IDENTITY_CLAIM_FILTER.",
    "Keep sessions in the store: LATCHKEY_SESSION_STATEFUL=true.",
  ],
  "provider-busy": () => [
    "The provider answered 429 or 503, or more than 64 calls to it were under way. The log names the endpoint.",
    "The provider limits the calls of this client. The console of the provider shows the limit.",
  ],
  "provider-unreachable-start": () => [
    "LATCHKEY_ISSUER_BASE_URL cannot be reached from this machine. In a container, localhost means the container.",
    "A proxy or firewall lies between: the provider has 5 seconds to answer.",
  ],
  "provider-unreachable-finish": () => [
    "The token endpoint did not answer within 5 seconds.",
    "The token endpoint is at another host than the issuer, and only that one is blocked.",
  ],
  organization: () => [
    "LATCHKEY_ORGANIZATION names another organization than the one in the ID token (org_id or org_name).",
  ],
};

/** Those that are not the causes of other problems of their kind. */
const hintsOfReasons: Readonly<Record<string, Hints>> = {
  // What is wrong with its settings stands above.
  connection_invalid: () => [],
  connection_mismatch: () => [
    "A provider has the redirect URI of another connection: register at each the address that ends with its own id.",
    "The issuer or the client of the connection was changed after this sign-in had begun.",
    "A proxy sends the response to another host of the app than the one on which the sign-in has begun.",
  ],
};

/** Likely causes of a problem, the likeliest first; none if only the user can solve it. */
export function developerHints(problem: PageProblem, site: Site): readonly string[] {
  const { kind, reason } = problem;
  return (hintsOfReasons[reason] ?? hints[kind])?.(site) ?? [];
}
