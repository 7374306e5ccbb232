/** Writes the pages of `docs/reference` that are made from the sources of the engine. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { levelOf, type LogEvent } from "../../packages/latchkey/src/telemetry/log-event.ts";
import { checksPage } from "./checks-page.ts";
import { declarationOf, eventsOf } from "./source-types.ts";

const root = path.join(import.meta.dirname, "../..");
const engine = path.join(root, "packages/latchkey/src");

const fence = "```";

const types: readonly (readonly [name: string, file: string, about: string])[] = [
  ["Session", "session/session.ts", "`session` of a request: what is known of a signed-in user."],
  ["SessionData", "session/session.ts", "Your own data in the session. Add its types to it."],
  ["Claims", "session/claims.ts", "`user` of a request. Add the claims of your provider to it."],
  ["SessionTimes", "session/session.ts", "The ends of a session, in seconds since 1970."],
  ["EndReason", "session/session.ts", "`ended` of a request: why there is no session any more."],
  ["RequestAuth", "host/request-auth.ts", "What a handler gets, in every framework."],
  ["AccessRequirements", "config/access-rule.ts", "A rule as data; a function may take its place."],
  ["Problem", "errors/problem.ts", "What `renderProblem` gets."],
  ["ProblemKind", "errors/problem-kind.ts", "One word for each page that reports a problem."],
  ["UnmetRequirement", "errors/access-errors.ts", "A part of a rule that does not hold."],
  ["Device", "devices/list-devices.ts", "An entry of `devices()`."],
  ["ActivityEntry", "activity/activity-entry.ts", "An entry of `activity()`."],
  ["AccessTokenErrorCode", "errors/latchkey-error.ts", "The `code` of an `AccessTokenError`."],
  ["HandlerErrorCode", "errors/latchkey-error.ts", "The `code` of a `HandlerError`."],
  ["ErrorCode", "errors/latchkey-error.ts", "The `code` of every error of Latchkey."],
];

function readSource(file: string): string {
  return readFileSync(path.join(engine, file), "utf8");
}

/** The page with the types that an app meets. */
export function typesPage(): string {
  const sections = types.map(([name, file, about]) => {
    const code = declarationOf(readSource(file), name);
    return `## ${name}\n\n${about}\n\n${fence}typescript\n${code}\n${fence}\n`;
  });
  return `# Types

Made by \`npm run docs\` from the sources; do not edit it by hand. These are the types that an app meets
most often. All are exported by \`latchkey\`, or are members of what is exported.

${sections.join("\n")}`;
}

export function logEventsPage(): string {
  const sections = eventsOf(readSource("telemetry/log-event.ts"), "Event").map(({ name, code }) => {
    const level = levelOf({ event: name, status: 400 } as LogEvent);
    return `## ${name}\n\nUsual level: ${level}.\n\n${fence}typescript\n${code}\n${fence}\n`;
  });
  const reasons = declarationOf(readSource("telemetry/log-event.ts"), "SignOutReason");
  return `# Log events

Made by \`npm run docs\` from the sources; do not edit it by hand. \`log(event)\` receives these events as
data. By default, warnings and errors go to stderr: as readable lines in development, as JSON in
production. No event holds a token, a code, a cookie value or a secret. \`reason\` of a refusal is one of
[these](../errors/README.md).

With several providers, every event also names its \`connection\`, \`issuer\` and \`clientID\`, as far as
they are known; with several hosts, its \`host\`.

${sections.join("\n")}
## Why a session ended

The \`reason\` of \`sign-out\`.

${fence}typescript
${reasons}
${fence}
`;
}

export const referencePages: Readonly<Record<string, () => string>> = {
  "docs/reference/checks.md": checksPage,
  "docs/reference/types.md": typesPage,
  "docs/reference/log-events.md": logEventsPage,
};

if (import.meta.main) {
  for (const [file, page] of Object.entries(referencePages))
    writeFileSync(path.join(root, file), page());
}
