import { isLoopback } from "../../../config/rules/rule.ts";
import type { ConfigFault } from "../../../errors/config-error.ts";
import { nodeFault, oldestNode } from "../../node-version.ts";
import { type Check, failure, type Judgement, note, ok, warning } from "../finding.ts";
import type { Project, VariableFile } from "./project.ts";

/** Texts of documentation and templates that are no secret. */
const samples =
  /^(?:<.*>|change[-_ ]?me.*|your[-_ ].*|secret|password|replace[-_ ].*|x+|todo.*|.*example.*|a long secret.*|local-trial-secret.*)$/i;

const secretVariables = ["LATCHKEY_SECRET", "LATCHKEY_CLIENT_SECRET"];

/** Which check reports a fault of the settings: the first match counts. */
const homes: readonly (readonly [id: string, options: RegExp])[] = [
  ["D03", /^(?:secret|clientSecret|clientAssertionSigningKey)/],
  ["D06", /^(?:issuerBaseURL|tenants)/],
  ["D07", /^(?:baseURL|production)/],
  ["D08", /^(?:session|transactionCookie)/],
  ["D09", /^(?:publicPaths|routes|pagesPrefix)/],
  ["D10", /^(?:scope|authorizationParams)/],
  ["D11", /^response/],
];

function homeOf({ option, message, seen }: ConfigFault): string {
  if (seen === undefined && /required|missing/.test(message)) return "D01";
  return homes.find(([, options]) => options.test(option))?.[0] ?? "D01";
}

/** The faults that one check reports. */
function faultsAt(id: string, { faults }: Project): readonly Judgement[] {
  return faults
    .filter((fault) => homeOf(fault) === id)
    .map(({ variable, option, message, seen, remedy }) => {
      const shown = seen === undefined ? "" : ` (seen: ${seen})`;
      return failure(`${variable || option} ${message}${shown}.`, remedy);
    });
}

const orOK = (judgements: readonly Judgement[]): readonly Judgement[] =>
  judgements.length > 0 ? judgements : [ok];

/** Every variable of Latchkey in a file, with its text. */
function ours({ variables }: VariableFile): readonly (readonly [name: string, value: string])[] {
  return Object.entries(variables)
    .filter(([name]) => name.replace("\uFEFF", "").startsWith("LATCHKEY_"))
    .map(([name, value = ""]) => [name, value]);
}

function values({ variables }: Project): readonly (readonly [name: string, value: string])[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    name.startsWith("LATCHKEY_") && value !== undefined ? [[name, value]] : [],
  );
}

/** Variables whose unquoted value goes on after a `#`. After a space it begins a comment. */
function cutValues(text: string): readonly string[] {
  const lines = text.matchAll(/^\s*(?:export\s+)?(LATCHKEY_\w+)\s*=\s*[^\s"'`#][^\s#]*#/gm);
  return [...lines].map(([, name = ""]) => name);
}

function judgeForm(project: Project): readonly Judgement[] {
  const ofFiles = project.files.flatMap(({ name, text }) => {
    if (text.startsWith("\uFEFF")) {
      return [
        failure(
          `${name} begins with a byte order mark, so its first variable is not read.`,
          `Save ${name} as UTF-8 without a byte order mark.`,
        ),
      ];
    }
    if (text.includes("\0")) {
      return [failure(`${name} is not UTF-8.`, `Save ${name} as UTF-8.`)];
    }
    return cutValues(text).map((variable) =>
      failure(
        `${name} has a # in ${variable} without quotation marks, so the value ends there.`,
        "Put the value between quotation marks.",
      ),
    );
  });
  const ofValues = values(project).flatMap(([name, value]) => {
    if (/^(["'`]).*\1$/s.test(value)) {
      return [failure(`The quotation marks are part of ${name}.`, "Remove them.")];
    }
    if (/\r/.test(value)) {
      return [failure(`${name} ends with a carriage return.`, "Save the file with LF line ends.")];
    }
    if (value !== value.trim()) {
      return [warning(`${name} begins or ends with a space.`, "Remove the space.")];
    }
    if (name.endsWith("KEY") && value.includes("\\n")) {
      return [
        failure(
          `${name} has \\n as text in place of line breaks.`,
          "Write real line breaks between quotation marks, or name a file with LATCHKEY_CLIENT_ASSERTION_SIGNING_KEY_FILE.",
        ),
      ];
    }
    return [];
  });
  return orOK([...ofFiles, ...ofValues]);
}

function judgeSecrets(project: Project): readonly Judgement[] {
  const { LATCHKEY_SECRET: secret = "", LATCHKEY_CLIENT_SECRET: client = "" } = project.variables;
  const judgements = [...faultsAt("D03", project)];
  for (const name of secretVariables) {
    const value = project.variables[name] ?? "";
    if (samples.test(value)) {
      judgements.push(
        failure(
          `${name} is the text of a template.`,
          name === "LATCHKEY_SECRET"
            ? "Set it to the output of openssl rand -base64 32."
            : "Set it to the client secret that your provider gave this app.",
        ),
      );
    }
  }
  const [first = ""] = secret.split(/\s+/);
  const isShort = first !== "" && new TextEncoder().encode(first).length < 32;
  if (isShort && judgements.length === 0) {
    judgements.push(
      warning(
        "LATCHKEY_SECRET is shorter than 32 bytes and could be guessed.",
        "Set it to the output of openssl rand -base64 32.",
      ),
    );
  }
  if (secret !== "" && secret === client) {
    judgements.push(
      failure(
        "LATCHKEY_SECRET is the client secret, which the provider knows too.",
        "Set LATCHKEY_SECRET to the output of openssl rand -base64 32.",
      ),
    );
  }
  for (const file of project.files.filter(({ isTracked, isExposed }) => isTracked || isExposed)) {
    const secrets = ours(file).filter(([name, value]) => secretVariables.includes(name) && value);
    if (secrets.length === 0) continue;
    if (file.isExposed) {
      judgements.push(
        warning(
          `${file.name} has secrets, and git does not ignore it.`,
          `Add ${file.name} to .gitignore.`,
        ),
      );
      continue;
    }
    judgements.push(
      failure(
        `${file.name} is in git, with ${secrets.map(([name]) => name).join(" and ")}.`,
        `Replace the secrets, run git rm --cached ${file.name}, and add the file to .gitignore.`,
      ),
    );
  }
  return orOK(judgements);
}

function judgeSources({ files, environment }: Project): readonly Judgement[] {
  const sources = [
    ...files.map((file) => ({ name: file.name, variables: file.variables })),
    { name: "the environment of this shell", variables: environment },
  ];
  const names = new Set(sources.flatMap(({ variables }) => Object.keys(variables)));
  return orOK(
    [...names]
      .filter((name) => name.startsWith("LATCHKEY_"))
      .flatMap((name) => {
        const set = sources.filter(({ variables }) => variables[name] !== undefined);
        if (new Set(set.map(({ variables }) => variables[name])).size < 2) return [];
        const winner = set.at(-1)?.name ?? "";
        const others = set.slice(0, -1).map((source) => source.name);
        // Files are made to differ; a value of the shell is easily forgotten.
        const judgeOthers = environment[name] === undefined ? note : warning;
        return [
          judgeOthers(
            `${name} has different values in ${others.join(", ")} and ${winner}; that of ${winner} counts.`,
            "Keep one of them.",
          ),
        ];
      }),
  );
}

function judgeBaseURL(project: Project): readonly Judgement[] {
  const faults = faultsAt("D07", project);
  const { config, variables } = project;
  if (faults.length > 0 || config === null) return orOK(faults);
  const isLocal = isLoopback(config.baseURL);
  if (isLocal && variables["NODE_ENV"] === "production") {
    return [
      failure(
        `LATCHKEY_BASE_URL is ${config.baseURL}, which no browser of a user can open.`,
        "Set it to the public address of the app.",
      ),
    ];
  }
  if (!isLocal && config.baseURL.startsWith("http:")) {
    return [
      failure(
        "LATCHKEY_BASE_URL is http, so sessions can be read on their way through the network.",
        "Serve the app over https, and set LATCHKEY_BASE_URL to that address.",
      ),
    ];
  }
  return [ok];
}

function judgeCookies(project: Project): readonly Judgement[] {
  const faults = faultsAt("D08", project);
  const { config } = project;
  if (faults.length > 0 || config === null) return orOK(faults);
  const { secure, sameSite, domain } = config.session.cookie;
  const isHttps = config.baseURL.startsWith("https:");
  const judgements: Judgement[] = [];
  if (secure && !isHttps && isLoopback(config.baseURL)) {
    judgements.push(note("The session cookie is Secure on http. Safari drops such a cookie."));
  }
  for (const [name, cookie] of [
    ["SESSION", config.session.cookie],
    ["TRANSACTION", config.transactionCookie.attributes],
  ] as const) {
    if (cookie.sameSite !== "strict") continue;
    judgements.push(
      failure(
        `LATCHKEY_${name}_COOKIE_SAME_SITE is strict, so the cookie is not sent after the return from a provider on another site.`,
        "Remove the setting, unless the provider is on the site of the app.",
      ),
    );
  }
  if (sameSite === "none" && !secure) {
    judgements.push(
      failure("A SameSite=None cookie without Secure is dropped.", "Serve the app over https."),
    );
  }
  const host = new URL(config.baseURL).hostname;
  const bare = domain?.replace(/^\./, "");
  if (bare !== undefined && host !== bare && !host.endsWith(`.${bare}`)) {
    judgements.push(
      failure(
        `LATCHKEY_SESSION_COOKIE_DOMAIN is ${domain}, and the app is at ${host}: browsers drop the cookie.`,
        `Remove the setting, or set it to a parent of ${host}.`,
      ),
    );
  }
  return orOK(judgements);
}

function judgePublicPaths(project: Project): readonly Judgement[] {
  const faults = faultsAt("D09", project);
  const { config } = project;
  if (faults.length > 0 || config === null) return orOK(faults);
  const wrong = config.publicPaths.filter((each) => each.includes("*"));
  if (wrong.length > 0) {
    return [
      failure(
        `LATCHKEY_PUBLIC_PATHS has ${wrong.join(" ")}, and * is an ordinary character there.`,
        "Write a / at the end for everything below a path, such as /assets/.",
      ),
    ];
  }
  const own = config.publicPaths.filter((each) => each.startsWith(config.routes.prefix));
  if (own.length === 0) return [ok];
  return [note(`LATCHKEY_PUBLIC_PATHS lists ${own.join(" ")}: the auth routes are public anyway.`)];
}

function judgeScope(project: Project): readonly Judgement[] {
  const faults = faultsAt("D10", project);
  const { config } = project;
  if (faults.length > 0 || config === null) return orOK(faults);
  const isGoogle = /(^|\.)google\.com$/.test(new URL(config.issuerBaseURL).hostname);
  if (isGoogle && config.scope.split(" ").includes("offline_access")) {
    return [
      failure(
        "Google knows no scope offline_access and refuses the sign-in.",
        "Remove it from LATCHKEY_SCOPE, and set LATCHKEY_AUTHORIZATION_PARAMS=access_type=offline&prompt=consent.",
      ),
    ];
  }
  return [ok];
}

function judgeVersions({ nodeVersion, copies, manifest }: Project): readonly Judgement[] {
  const judgements: Judgement[] = [];
  const fault = nodeFault(nodeVersion);
  if (fault !== null) judgements.push(failure(fault, `Install Node ${oldestNode} or newer.`));
  if (copies.length > 1) {
    const found = copies.map(({ folder, version }) => `${version} in ${folder}`).join(", ");
    judgements.push(
      warning(
        `There are ${copies.length} copies of latchkey: ${found}.`,
        "Ask for one version everywhere, and run npm dedupe.",
      ),
    );
  }
  const forDevelopment = Object.keys(manifest?.dependencies ?? {}).includes("@latchkey/provider");
  if (forDevelopment) {
    judgements.push(
      warning(
        "@latchkey/provider is a dependency of production, and anyone can sign in there.",
        "Run npm install --save-dev @latchkey/provider.",
      ),
    );
  }
  return orOK(judgements);
}

/** Checks of what can be read without asking anyone. */
export const settingChecks: readonly Check<Project>[] = [
  { id: "D04", title: "form of the values", judge: judgeForm },
  {
    id: "D02",
    title: "names of the variables",
    judge: ({ warnings }) =>
      orOK(
        warnings
          .filter((each) => !each.startsWith("The quotation marks"))
          .map((each) => {
            const end = each.indexOf(". ") + 1;
            return failure(each.slice(0, end), each.slice(end + 1));
          }),
      ),
  },
  {
    id: "D01",
    title: "required settings",
    judge: (project) => orOK(faultsAt("D01", project)),
    after: ["D04", "D02"],
  },
  { id: "D03", title: "secrets", judge: judgeSecrets },
  { id: "D05", title: "one source for each variable", judge: judgeSources },
  { id: "D06", title: "issuer", judge: (project) => orOK(faultsAt("D06", project)) },
  { id: "D07", title: "base URL", judge: judgeBaseURL },
  { id: "D08", title: "cookies", judge: judgeCookies },
  { id: "D09", title: "paths", judge: judgePublicPaths },
  { id: "D10", title: "scope", judge: judgeScope },
  { id: "D11", title: "response type and mode", judge: (each) => orOK(faultsAt("D11", each)) },
  { id: "D40", title: "versions", judge: judgeVersions },
];
