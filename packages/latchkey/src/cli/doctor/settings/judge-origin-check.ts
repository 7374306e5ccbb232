import { failure, type Judgement, ok } from "../finding.ts";
import type { Project } from "./project.ts";

/** Frameworks that refuse forms of other origins before any middleware, and how to let them. */
const checks: readonly {
  readonly dependency: string;
  readonly name: string;
  readonly isOff: RegExp;
  readonly remedy: string;
}[] = [
  {
    dependency: "@sveltejs/kit",
    name: "SvelteKit",
    isOff: /checkOrigin\s*:\s*false|trustedOrigins\s*:\s*\[[^\]]*["']\*["']/,
    remedy:
      'Set csrf: { trustedOrigins: ["*"] } in its configuration: sign-in makes the same check.',
  },
  {
    dependency: "astro",
    name: "Astro",
    isOff: /checkOrigin\s*:\s*false|\blatchkeyIntegration\(\)/,
    remedy:
      "Add latchkeyIntegration() of latchkey/astro to its integrations: sign-in makes the same check.",
  },
];

/** The provider posts its logout tokens and responses without an origin of the app. */
export function judgeOriginCheck({ config, deployment, manifest }: Project): Judgement {
  const isPosted = config?.backchannelLogout === true || config?.responseMode === "form_post";
  if (!isPosted || deployment.framework.length === 0) return ok;
  const installed = { ...manifest?.dependencies, ...manifest?.devDependencies };
  const found = checks.find(({ dependency }) => Object.hasOwn(installed, dependency));
  if (found === undefined) return ok;
  const isOff = deployment.framework.some(({ text }) => found.isOff.test(text));
  return isOff
    ? ok
    : failure(`${found.name} refuses what the provider posts, with 403.`, found.remedy);
}
