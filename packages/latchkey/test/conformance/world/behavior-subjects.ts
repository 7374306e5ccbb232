import type { Entry, Expectation } from "@latchkey/provider/hostile";

/** The behaviors played by one test file: those that it concerns, if they are expected so. */
export interface Subject {
  readonly concerns: (name: string, entry: Entry) => boolean;
  readonly expectations: readonly Expectation[];
}

const isTooLarge = (name: string) => name === "STD-141";
/** At every endpoint: `provider/provider-faults.test.ts` plays them. */
const isOfConnection = (name: string) => /^REL-F(?:0|12|13|15)/.test(name);

const responses: Subject = {
  concerns: (name, { behavior }) =>
    name === "CERT-028" ||
    (behavior.authorizationResponse ?? behavior.queryBesideForm) !== undefined,
  expectations: ["refuse", "accept"],
};

const largeSessions: Subject = { concerns: isTooLarge, expectations: ["either"] };

const discovery: Subject = {
  concerns: (name, { behavior, needs }) =>
    name === "CERT-012" ||
    (!isOfConnection(name) &&
      !needs?.pushed &&
      name !== "REL-F11" &&
      (behavior.metadata ?? behavior.faults?.metadata) !== undefined),
  expectations: ["login-fails", "accept"],
};

const pushedRequests: Subject = {
  concerns: (name) => /^STD-(?:068|069|070|072)/.test(name),
  expectations: ["login-fails", "accept"],
};

const tokenResponses: Subject = {
  concerns: (name, { behavior }) => {
    const { tokenResponse, faults, authMethod, rawBasic, ignoresPKCE } = behavior;
    const concerned = tokenResponse ?? authMethod ?? rawBasic ?? ignoresPKCE;
    const isAnswer = faults?.token !== undefined && !isOfConnection(name);
    return concerned !== undefined || isAnswer || name.startsWith("CERT-020");
  },
  expectations: ["refuse", "accept", "either"],
};

const userinfo: Subject = {
  concerns: (name, { behavior }) => {
    const { userinfo: claims, userinfoToken, faults } = behavior;
    const concerned = claims ?? userinfoToken ?? faults?.userinfo;
    return (concerned !== undefined && !isOfConnection(name)) || name === "CERT-041";
  },
  expectations: ["userinfo-discarded", "accept", "either"],
};

const idTokens: Subject = {
  concerns: (name, { behavior: { idToken, keySet, newKeys, alg, logoutToken, faults } }) => {
    const concerned = idToken ?? keySet ?? newKeys ?? alg;
    const isOfKeys = faults?.keys !== undefined && !isOfConnection(name);
    return (concerned !== undefined || isOfKeys) && logoutToken === undefined && !isTooLarge(name);
  },
  expectations: ["refuse", "accept", "either"],
};

const refreshes: Subject = {
  concerns: (name) => !isOfConnection(name),
  expectations: ["refresh-fails", "refresh-succeeds"],
};

const logouts: Subject = { concerns: () => true, expectations: ["signed-out"] };

/** Without `exp` a logout token is accepted for an hour (decision 0003). */
const logoutTokens: Subject = {
  concerns: (name, { behavior }) => behavior.logoutToken !== undefined && name !== "STD-103/no-exp",
  expectations: ["logout-refused", "logout-accepted", "either"],
};

/** By the path of the test file in `conformance/`, which gets them here. */
export const subjects = {
  "authorization-response.test.ts": [responses],
  "cookies.test.ts": [largeSessions],
  "logout.test.ts": [logouts],
  "provider/discovery-and-keys.test.ts": [discovery],
  "provider/token-request.test.ts": [tokenResponses, pushedRequests],
  "provider/userinfo.test.ts": [userinfo],
  "refresh.test.ts": [refreshes],
  "tokens/id-token.test.ts": [idTokens],
  "tokens/logout-token.test.ts": [logoutTokens],
} as const satisfies Readonly<Record<string, readonly Subject[]>>;
