/** `npm run docs`: writes docs/certification.md from the plans. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import {
  fields,
  type Plan,
  plans,
  variables,
  variants,
} from "../../packages/latchkey/test/conformance/plans/plans.ts";

export const pageFile: string = path.join(import.meta.dirname, "../../docs/certification.md");

/** How to run the suite of the OpenID Foundation against an app with Latchkey. */
export function certificationPage(): string {
  return `# Certification

The table is made by \`npm run docs\` from the plans that [our tests](conformance.md) play. This page is
for the real run: the OpenID Foundation lists a relying party that has passed a plan of its
[suite](https://www.certification.openid.net) on its own server.

## Once for each plan

1. Serve the app of the [README](../README.md) at a public https address, with these variables beside
   those of every app: ${listOf(variables)}.
2. In the suite, create the plan with ${listOf(variants)}, if it lets you choose.
3. Fill in an alias, the client ID and the client secret. Below \`client\`, each address is the base
   URL with a path: ${listOf(fields)}.
4. Set \`LATCHKEY_ISSUER_BASE_URL\` to the issuer that the suite shows, with the slash at its end.
5. Add what the table says.

| certificate | plan | in the suite | fields of the client | variables |
| --- | --- | --- | --- | --- |
${plans.map(rowOf).join("\n")}

For the Front-Channel RP, add \`"frontchannel_logout_session_required": true\` to the client in the
JSON view. Its module ends with the verdict "review": upload a picture of the frame's page.

## For each module

1. Start the module.
2. Restart the app. Each module has keys and metadata of its own, and the app keeps what it has read
   for ten minutes.
3. Open \`/api/auth/login\`. For the logouts, open \`/api/auth/logout\` after it. For
   \`signing-key-rotation\`, sign in twice without another restart. For \`3rd-party-init-login\`, follow
   the suite instead. For the refresh plan, open a page that calls \`accessToken({ refresh: true })\`,
   then \`/api/auth/me\`.
4. Keep the log of the app: if a module wants it to stop, the refusal with its reason is the proof.
   The page shows the same reference.

\`kid-absent-multiple-jwks\` may end either way. \`idtoken-sig-none\` counts as skipped, because Latchkey
accepts no unsigned token, and that is enough for the certificate.

Out of reach are Hybrid RP and Implicit RP, whose plans need access tokens in the address, Dynamic RP
and Session RP.
`;
}

function rowOf(plan: Plan): string {
  const { certificate, name } = plan;
  const lists = [plan.variants, plan.fields, plan.variables].map(linesOf);
  return `| ${[certificate ?? "none", `\`${name}\``, ...lists].join(" | ")} |`;
}

const entriesOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => `\`${name}=${value}\``);
const linesOf = (values: Readonly<Record<string, string>>) => entriesOf(values).join("<br>");
const listOf = (values: Readonly<Record<string, string>>) => entriesOf(values).join(", ");

if (import.meta.main) writeFileSync(pageFile, certificationPage());
