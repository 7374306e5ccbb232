import { UsageError } from "../command.ts";
import { majorOf, type Project } from "./project.ts";
import type { Step } from "./step.ts";

/** Another library that signs users in. */
interface Rival {
  readonly name: string;
  readonly packages: readonly string[];
  /** The page for those who move from it. */
  readonly page: (project: Project) => string;
}

const rivals: readonly Rival[] = [
  {
    name: "nextjs-auth0",
    packages: ["@auth0/nextjs-auth0"],
    page: (project) =>
      majorOf(project, "@auth0/nextjs-auth0", 4) < 4
        ? "guides/from-nextjs-auth0"
        : "moving/nextjs-auth0-4",
  },
  {
    name: "Auth.js",
    packages: ["next-auth", "@auth/core", "@auth/express", "@auth/sveltekit", "@auth/qwik"],
    page: () => "moving/authjs",
  },
  { name: "Better Auth", packages: ["better-auth"], page: () => "moving/better-auth" },
  {
    name: "express-openid-connect",
    packages: ["express-openid-connect"],
    page: () => "moving/express-openid-connect",
  },
  {
    name: "AuthKit",
    packages: [
      "@workos-inc/authkit-nextjs",
      "@workos-inc/authkit-react-router",
      "@workos-inc/authkit-remix",
      "@workos-inc/authkit-react",
      "@workos/authkit-tanstack-react-start",
    ],
    page: () => "moving/authkit",
  },
  {
    name: "keycloak-connect",
    packages: ["keycloak-connect"],
    page: () => "moving/keycloak-connect",
  },
  {
    name: "Passport",
    packages: ["passport", "@fastify/passport", "koa-passport"],
    page: () => "moving/passport",
  },
];

/** A note for each other library that signs users in here, with the page for those who move. */
export function rivalSteps(project: Project): readonly Step[] {
  const { dependencies } = project.manifest;
  return rivals
    .filter(({ packages }) => packages.some((name) => Object.hasOwn(dependencies, name)))
    .map(({ name, page }) => ({
      kind: "note",
      text: `${name} signs users in here. How to move from it: https://latchkey-auth.github.io/latchkey/${page(project)}`,
    }));
}

/**
 * Its code stands in the way: to add ours beside it would make two sign-ins of one app.
 *
 * @throws {UsageError} with the page for those who move, if the plan cannot go on
 */
export function stopBesideRival(steps: readonly Step[]): void {
  const blocked = steps.find(({ kind }) => kind === "blocked");
  if (blocked?.kind !== "blocked") return;
  const notes = steps.flatMap((step) => (step.kind === "note" ? [step.text] : []));
  throw new UsageError(`${blocked.path} ${blocked.reason}, and nothing has changed. ${notes[0]}`);
}
