import { type Config, wantsOfflineAccess } from "../../../config/config.ts";
import { isLoopback } from "../../../config/rules/rule.ts";
import { type Check, failure, type Judgement, note, orOK, warning } from "../finding.ts";
import { judgeContainers } from "./judge-containers.ts";
import { judgeCookies } from "./judge-cookies.ts";
import { judgeForm } from "./judge-form.ts";
import { judgeNames } from "./judge-names.ts";
import { judgeOriginCheck } from "./judge-origin-check.ts";
import { judgePreset } from "./judge-preset.ts";
import { judgeSecrets } from "./judge-secrets.ts";
import { judgeVersions } from "./judge-versions.ts";
import type { Project } from "./project.ts";
import { faultsAt, judgeConfig } from "./setting-faults.ts";

function judgeRequired(project: Project): readonly Judgement[] {
  const faults = faultsAt("D01", project);
  if (faults.length > 0 && project.isInCode === true) {
    return [
      note(
        "The app leads to a provider with settings that are not in this folder: they are not judged.",
        "If they are in code, run the doctor with the same values as variables.",
      ),
    ];
  }
  const [lookalike] = project.lookalikes;
  if (faults.length > 0 && !Object.keys(project.variables).some(isOurs)) {
    if (lookalike !== undefined) {
      return [
        failure(
          `No variable of Latchkey is set, but ${lookalike} has some, which is not read here.`,
          "Rename or copy it to .env.local, in the folder of the app.",
        ),
      ];
    }
    return [
      failure(
        "No variable of Latchkey is set, neither in .env.local nor in this shell.",
        "Run this in the folder of the app. If its settings are in code, name its address: npx latchkey doctor http://localhost:3000",
      ),
    ];
  }
  return orOK(faults);
}

const isOurs = (name: string): boolean => name.startsWith("LATCHKEY_");

function judgeSources(project: Project): readonly Judgement[] {
  const { files, environment } = project;
  const sources = [
    ...files.map((file) => ({ name: file.name, variables: file.variables })),
    { name: "the environment of this shell", variables: environment },
  ];
  const names = new Set(sources.flatMap(({ variables }) => Object.keys(variables)));
  const twice = files.flatMap(({ name, text }) =>
    timesSet(text).map((variable) =>
      warning(`${variable} is set twice in ${name}, and the last one counts.`, "Keep one of them."),
    ),
  );
  return orOK([
    ...twice,
    ...[...names].filter(isOurs).flatMap((name) => {
      const set = sources.filter(({ variables }) => variables[name] !== undefined);
      if (new Set(set.map(({ variables }) => variables[name])).size < 2) return [];
      const winner = set.at(-1)?.name ?? "";
      const others = set.slice(0, -1).map((source) => source.name);
      // Files are made to differ; a value of the shell is easily forgotten.
      const ofShell = isHalfHidden(name, project) ? failure : warning;
      const judgeOthers = environment[name] === undefined ? note : ofShell;
      return [
        judgeOthers(
          `${name} has different values in ${others.join(", ")} and ${winner}; that of ${winner} counts.`,
          "Keep one of them.",
        ),
      ];
    }),
  ]);
}

/** Variables that a file sets more than once, to different values. */
function timesSet(text: string): readonly string[] {
  const lines = text.matchAll(/^\s*(?:export\s+)?(LATCHKEY_\w+)\s*=\s*(.*?)\s*$/gm);
  const values = Map.groupBy(lines, ([, name = ""]) => name);
  return [...values].flatMap(([name, set]) =>
    new Set(set.map(([, , value]) => value)).size > 1 ? [name] : [],
  );
}

/** A client has one id and one secret: the shell must bring both. */
const pair: Readonly<Record<string, string>> = {
  LATCHKEY_CLIENT_ID: "LATCHKEY_CLIENT_SECRET",
  LATCHKEY_CLIENT_SECRET: "LATCHKEY_CLIENT_ID",
};

function isHalfHidden(name: string, { environment, variables }: Project): boolean {
  const other = pair[name];
  return other !== undefined && environment[other] === undefined && variables[other] !== undefined;
}

function judgeIssuer(project: Project): readonly Judgement[] {
  return orOK([
    ...faultsAt("D06", project),
    ...judgeContainers(project, "LATCHKEY_ISSUER_BASE_URL"),
  ]);
}

function judgeBaseURL({ baseURL }: Config, { variables }: Project): readonly Judgement[] {
  const isLocal = isLoopback(baseURL);
  if (isLocal && variables["NODE_ENV"] === "production") {
    return [
      failure(
        `LATCHKEY_BASE_URL is ${baseURL}, which no browser of a user can open.`,
        "Set it to the public address of the app.",
      ),
    ];
  }
  if (!isLocal && baseURL.startsWith("http:")) {
    return [
      failure(
        "LATCHKEY_BASE_URL is http, so sessions can be read on their way through the network.",
        "Serve the app over https, and set LATCHKEY_BASE_URL to that address.",
      ),
    ];
  }
  return [];
}

function judgePublicPaths({ publicPaths, routes }: Config): readonly Judgement[] {
  const wrong = publicPaths.filter((each) => each.includes("*"));
  if (wrong.length > 0) {
    return [
      failure(
        `LATCHKEY_PUBLIC_PATHS has ${wrong.join(" ")}, and * is an ordinary character there.`,
        "Write a / at the end for everything below a path, such as /assets/.",
      ),
    ];
  }
  const own = publicPaths.filter((each) => each.startsWith(routes.prefix));
  if (own.length === 0) return [];
  return [note(`LATCHKEY_PUBLIC_PATHS lists ${own.join(" ")}: the auth routes are public anyway.`)];
}

function judgeScope(config: Config): readonly Judgement[] {
  const host = new URL(config.issuerBaseURL).hostname;
  const dialect = withoutOfflineAccess.find(([, hosts]) => hosts.test(host));
  if (dialect !== undefined && wantsOfflineAccess(config)) {
    const [name, , remedy] = dialect;
    return [failure(`${name} knows no scope offline_access and refuses the sign-in.`, remedy)];
  }
  return [];
}

const withoutOfflineAccess: readonly (readonly [name: string, hosts: RegExp, remedy: string])[] = [
  [
    "Google",
    /(?:^|\.)google\.com$/,
    "Remove it from LATCHKEY_SCOPE, and set LATCHKEY_AUTHORIZATION_PARAMS=access_type=offline&prompt=consent.",
  ],
  [
    "Cognito",
    /^cognito-idp\./,
    "Remove it from LATCHKEY_SCOPE: Cognito issues a refresh token with every sign-in.",
  ],
  [
    "GitLab",
    /^gitlab\./,
    "Remove it from LATCHKEY_SCOPE: GitLab issues a refresh token with every sign-in.",
  ],
];

/** Checks of what can be read without a request. */
export const settingChecks: readonly Check<Project>[] = [
  { id: "D04", title: "form of the values", judge: judgeForm },
  { id: "D02", title: "names of the variables", judge: judgeNames },
  {
    id: "D01",
    title: "required settings",
    judge: judgeRequired,
    after: ["D04", "D02"],
  },
  { id: "D03", title: "secrets", judge: judgeSecrets },
  { id: "D05", title: "one source for each variable", judge: judgeSources },
  { id: "D06", title: "issuer", judge: judgeIssuer },
  { id: "D07", title: "base URL", judge: judgeConfig("D07", judgeBaseURL) },
  { id: "D08", title: "cookies", judge: judgeConfig("D08", judgeCookies) },
  { id: "D09", title: "paths", judge: judgeConfig("D09", judgePublicPaths) },
  { id: "D10", title: "scope", judge: judgeConfig("D10", judgeScope) },
  { id: "D11", title: "response type and mode", judge: judgeConfig("D11", () => []) },
  { id: "D41", title: "what the provider posts", judge: judgeOriginCheck, after: ["D01"] },
  { id: "D43", title: "preset", judge: judgePreset },
  { id: "D40", title: "versions", judge: judgeVersions },
];
