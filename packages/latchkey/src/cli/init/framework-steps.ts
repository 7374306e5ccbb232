import { addOptions, type AddedOption } from "./edit/add-option.ts";
import { configFile } from "./dev-port.ts";
import { insert, endOfImports, inStyleOf } from "./edit/insert.ts";
import { maskCode } from "./edit/mask-code.ts";
import { majorOf, type Project } from "./project.ts";
import { alreadyThere, changeFile, createFile, firstOf, type Step } from "./step.ts";
import * as templates from "./templates/frameworks.ts";

/** Next.js 16 has `proxy.ts`, older versions `middleware.ts`. */
export function nextSteps(project: Project): readonly Step[] {
  const folder = project.has("src/app") || project.has("src/pages") ? "src/" : "";
  const ending = endingOf(project);
  return [
    createFile(project, `${folder}auth.${ending}`, templates.nextAuth),
    majorOf(project, "next", 16) >= 16
      ? nextProxy(project, folder, ending)
      : createFile(project, `${folder}middleware.${ending}`, templates.nextMiddleware),
  ];
}

/** Next.js 16 still reads `middleware.ts`, but not beside `proxy.ts`. */
function nextProxy(project: Project, folder: string, ending: string): Step {
  const former = ["ts", "js"].map((name) => `${folder}middleware.${name}`).find(project.has);
  if (former === undefined) {
    return createFile(project, `${folder}proxy.${ending}`, templates.nextProxy);
  }
  const reason = "must become proxy.ts, with sign-in around it";
  return { kind: "blocked", path: former, reason, lines: templates.nextProxy };
}

export function svelteKitSteps(project: Project): readonly Step[] {
  const isOld = majorOf(project, "@sveltejs/kit", 3) < 3;
  const hooks = isOld
    ? templates.svelteKitHooks.replace("$app/env", "$app/environment")
    : templates.svelteKitHooks;
  return [
    createFile(project, `src/hooks.server.${endingOf(project)}`, hooks),
    svelteKitCheck(project, isOld),
  ];
}

/** SvelteKit's own check refuses what a provider posts, before any `handle`. */
function svelteKitCheck(project: Project, isOld: boolean): Step {
  const value =
    isOld && !knowsTrustedOrigins(project) ? "checkOrigin: false" : 'trustedOrigins: ["*"]';
  const csrf: AddedOption = {
    name: "csrf",
    lines: `${templates.sameCheck}csrf: { ${value} },\n`,
    done: /\bcheckOrigin\s*:\s*false|\btrustedOrigins\s*:\s*\[\s*["']\*["']/,
    reason: "must let the posts of the provider through: sign-in makes the check instead",
  };
  const own = firstOf(project, "svelte.config", ["js", "ts", "mjs"]);
  if (own !== null && isOld) return addOptions(project, own, [csrf], /\bkit\s*:\s*\{/);
  const path = configFile(project, "vite.config") ?? "vite.config.js";
  return addOptions(project, path, [csrf], /\bsveltekit\(\{?/);
}

/** `csrf.trustedOrigins` has come with SvelteKit 2.39. */
function knowsTrustedOrigins({ manifest }: Project): boolean {
  const [, minor = "0"] = /2\.(\d+)/.exec(manifest.dependencies["@sveltejs/kit"] ?? "") ?? [];
  return Number(minor) >= 39;
}

export function nuxtSteps(project: Project): readonly Step[] {
  const app = project.has("app") || majorOf(project, "nuxt", 4) >= 4 ? "app/" : "";
  return [
    createFile(project, "server/plugins/sign-in.ts", templates.nuxtPlugin),
    createFile(project, "shared/types/latchkey.d.ts", templates.nuxtTypes),
    createFile(project, `${app}plugins/sign-in.client.ts`, templates.nuxtClientPlugin),
  ];
}

export function nitroSteps(project: Project): readonly Step[] {
  const config = ["nitro.config.ts", "nitro.config.mjs", "nitro.config.js", "vite.config.ts"];
  const hasFolder = config.some((path) => project.read(path)?.includes("serverDir") === true);
  const plugin = createFile(project, "server/plugins/sign-in.ts", templates.nitroPlugin);
  if (hasFolder) return [plugin];
  const reason = "must name the folder of the plugin";
  const lines = 'serverDir: "./server",\n';
  return [plugin, { kind: "blocked", path: "nitro.config.ts", reason, lines }];
}

export function tanStackStartSteps(project: Project): readonly Step[] {
  return [createFile(project, "src/start.ts", templates.tanStackStart)];
}

export function astroSteps(project: Project): readonly Step[] {
  const note = "Before a build, add the server: npx astro add node";
  const hasServer = Object.keys(project.manifest.dependencies).some((name) =>
    /^@astrojs\/(?:node|vercel|netlify|cloudflare)$/.test(name),
  );
  return [
    createFile(project, `src/middleware.${endingOf(project)}`, templates.astroMiddleware),
    astroConfig(project),
    ...(hasServer ? [] : [{ kind: "note" as const, text: note }]),
  ];
}

/**
 * Astro runs a middleware with the cookies of a request only for pages rendered on request. The
 * integration turns Astro's own check off, which refuses what a provider posts before any
 * middleware, and lets a link of the client router lead to login.
 */
function astroConfig(project: Project): Step {
  const path = firstOf(project, "astro.config", ["mjs", "ts", "js", "mts"]) ?? "astro.config.mjs";
  const output: AddedOption = {
    name: "output",
    lines: 'output: "server",\n',
    done: /\boutput\s*:\s*["']server["']/,
    reason: "must render pages on request",
  };
  const integration: AddedOption = {
    name: "integrations",
    lines: "integrations: [latchkeyIntegration()],\n",
    done: /\blatchkeyIntegration\(\)/,
    reason: "must let the posts of the provider through: sign-in makes the check instead",
    imports: 'import { latchkeyIntegration } from "latchkey/astro";\n',
    element: "latchkeyIntegration()",
  };
  return addOptions(project, path, [output, integration]);
}

export function reactRouterSteps(project: Project): readonly Step[] {
  const isOff =
    majorOf(project, "react-router", 8) < 8 &&
    project.read("react-router.config.ts")?.includes("v8_middleware") !== true;
  const flag: Step = {
    kind: "blocked",
    path: "react-router.config.ts",
    reason: "must switch middleware on",
    lines: "future: { v8_middleware: true },\n",
  };
  return [
    ...(isOff ? [flag] : []),
    reactRouterRoot(project),
    reactRouterRoutes(project),
    createFile(project, "app/routes/sign-in.ts", templates.reactRouterSignIn),
  ];
}

function reactRouterRoot(project: Project): Step {
  const path = project.has("app/root.jsx") ? "app/root.jsx" : "app/root.tsx";
  const before = project.read(path);
  const type = path.endsWith("x") && project.isTypeScript;
  const line = type
    ? templates.reactRouterMiddleware
    : templates.reactRouterMiddleware.replace(": Route.MiddlewareFunction[]", "");
  const lines = `${templates.reactRouterImports}\n${line}`;
  if (before?.includes("latchkey/react-router") === true)
    return { kind: "skip", path, reason: alreadyThere };
  if (before === null || /\bmiddleware\b/.test(maskCode(before))) {
    return { kind: "blocked", path, reason: "has a middleware, or is missing", lines };
  }
  return changeFile(path, before, (text) => {
    const hasType = !type || /import\s+(?:type\s+)?\{[^}]*\bRoute\b[^}]*\}/.test(text);
    const routeType = hasType ? "" : 'import type { Route } from "./+types/root";\n';
    const added = inStyleOf(text, `${templates.reactRouterImports}${routeType}\n${line}`);
    return insert(text, [{ offset: endOfImports(text), text: added }]);
  });
}

function reactRouterRoutes(project: Project): Step {
  const path = project.has("app/routes.js") ? "app/routes.js" : "app/routes.ts";
  const before = project.read(path) ?? "";
  if (before.includes("routes/sign-in")) return { kind: "skip", path, reason: alreadyThere };
  const masked = maskCode(before);
  const list = /^export default \[/m.exec(masked);
  const names = /import\s*\{[^}]*\}\s*from(?=\s*["'] +["'])/.exec(masked);
  if (list === null || names === null || !before.includes("@react-router/dev/routes")) {
    const reason = "lists its routes in a way that init does not change";
    return { kind: "blocked", path, reason, lines: templates.reactRouterRoutes };
  }
  return changeFile(path, before, (text) => {
    const shift = before.length - text.length;
    const offset = list.index + list[0].length - shift;
    const hasRoute = /\broute\b/.test(names[0]);
    const routes = `\n${inStyleOf(text, templates.reactRouterRoutes).trimEnd()}`;
    const isOneLine = !/^\s*\n/.test(text.slice(offset));
    return insert(text, [
      { offset, text: isOneLine ? `${routes}\n  ` : routes },
      ...(hasRoute
        ? []
        : [{ offset: names.index - shift + names[0].lastIndexOf("}"), text: ", route " }]),
    ]).replace(/\s*, route \}/, ", route }");
  });
}

function endingOf({ isTypeScript }: Project): string {
  return isTypeScript ? "ts" : "js";
}
