/** The page with every check of sign-in, from the lists that the engine runs and their comments. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import {
  responseChecks,
  responseForm,
} from "../../packages/latchkey/src/oidc/authorization-response.ts";
import type { CheckList } from "../../packages/latchkey/src/oidc/checks/check.ts";
import { idTokenClaims, idTokenHeader } from "../../packages/latchkey/src/oidc/tokens/id-token.ts";
import {
  logoutTokenClaims,
  logoutTokenHeader,
  logoutTokenPresence,
} from "../../packages/latchkey/src/oidc/tokens/logout-token.ts";
import {
  keptSignInChecks,
  keptUserChecks,
} from "../../packages/latchkey/src/oidc/tokens/kept-sign-in.ts";
import { refreshedIDTokenChecks } from "../../packages/latchkey/src/oidc/tokens/refreshed-id-token.ts";
import { formChecks } from "../../packages/latchkey/src/oidc/tokens/token-claims.ts";
import {
  algorithmChecks,
  signatureChecks,
} from "../../packages/latchkey/src/oidc/tokens/verify-signature.ts";
import { userinfoClaims, userinfoSubject } from "../../packages/latchkey/src/oidc/userinfo.ts";
import { transactionChecks } from "../../packages/latchkey/src/routes/find-transaction.ts";
import { identityChecks, userChecks } from "../../packages/latchkey/src/routes/user-checks.ts";
import { type CheckComments, readCheckComments } from "./check-comments.ts";

type List = CheckList<never>;

/** The lists by the names of their constants. */
interface Section {
  readonly title: string;
  readonly lists: Readonly<Record<string, List>>;
}

/** Exported for a test, which compares them with the checks of a sign-in. */
export const sections: readonly Section[] = [
  {
    title: "The authorization response",
    lists: { transactionChecks, responseForm, responseChecks },
  },
  {
    title: "The ID token",
    lists: {
      formChecks: formChecks.id_token,
      idTokenHeader,
      algorithmChecks: algorithmChecks.id_token,
      signatureChecks: signatureChecks.id_token,
      idTokenClaims,
    },
  },
  { title: "The user", lists: { identityChecks, userChecks } },
  { title: "The userinfo response", lists: { userinfoSubject } },
  {
    title: "A userinfo response that is a signed token",
    lists: {
      formChecks: formChecks.userinfo_token,
      algorithmChecks: algorithmChecks.userinfo_token,
      signatureChecks: signatureChecks.userinfo_token,
      userinfoClaims,
    },
  },
  { title: "The session at a refresh", lists: { keptSignInChecks } },
  { title: "The ID token of a refresh", lists: { refreshedIDTokenChecks, keptUserChecks } },
  {
    title: "The logout token",
    lists: {
      logoutTokenPresence,
      formChecks: formChecks.logout_token,
      logoutTokenHeader,
      algorithmChecks: algorithmChecks.logout_token,
      signatureChecks: signatureChecks.logout_token,
      logoutTokenClaims,
    },
  },
];

const source = path.join(import.meta.dirname, "../../packages/latchkey/src");

/** The page with every check. */
export function checksPage(): string {
  const files = globSync("{oidc,routes}/**/*.ts", { cwd: source, exclude: ["**/*.test.ts"] });
  const comments = readCheckComments(
    files.map((file) => readFileSync(path.join(source, file), "utf8")),
  );
  return `# Checks

Made by \`npm run docs\` from the checks of the engine; do not edit it by hand. Sign-in runs them in
this order and refuses by the first one that does not hold, with its reason. In development the
[inspector](../guides/debugging.md) shows each with the expected and the actual value.

${sections.map((section) => sectionOf(section, comments)).join("\n")}`;
}

function sectionOf({ title, lists }: Section, comments: CheckComments): string {
  const rows = Object.entries(lists).flatMap(([name, { checks }]) => {
    const texts = comments(name);
    return checks.map((check, place) => [
      check.name,
      texts[place] ?? "",
      `[${check.reason}](../errors/${check.reason}.md)`,
    ]);
  });
  const lines = [["Check", "What must hold", "Reason"], ["-", "-", "-"], ...rows];
  return `## ${title}\n\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}
