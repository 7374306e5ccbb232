/** What must be known of the engine, counted in its sources. */
import path from "node:path";

import { settingDefinitions } from "../../packages/latchkey/src/config/setting-definitions.ts";
import { reasons } from "../../packages/latchkey/src/errors/reasons.ts";
import { eventsOf } from "../docs/source-types.ts";
import { workspaces } from "../layers.ts";
import { placeOf, singleFilesBelowRoot } from "../layers/fault.ts";
import { importsOf } from "../layers/imports.ts";
import { type Arrows, circlesIn } from "./circles.ts";
import { exportedNames } from "./exported-names.ts";
import { functionsThatTake } from "./functions.ts";
import { leavesOf } from "./leaves.ts";
import { settingsReadIn } from "./setting-reads.ts";
import type { Sources } from "./tree.ts";

/** The items of each figure, by its name. */
export type Figures = ReadonlyMap<string, readonly string[]>;

/** The source of each entry point by its name; `null` if it is no module. */
export type EntryPoints = ReadonlyMap<string, string | null>;

/** The settings about the provider and the client there. */
const providerSettings = [
  "issuerBaseURL",
  "metadataURL",
  "tenants",
  "clientID",
  "clientSecret",
  "clientAuthMethod",
  "clientAssertionSigningKey",
  "clientAssertionSigningAlg",
  "responseType",
  "responseMode",
  "scope",
  "maxAge",
  "resources",
  "authorizationParams",
  "loginParams",
  "organization",
  "pushedAuthorizationRequests",
  "idTokenSigningAlg",
  "trustedAudiences",
  "clockTolerance",
  "httpTimeout",
  "userinfo",
  "refetchUserinfo",
  "identityClaimFilter",
  "idpLogout",
  "backchannelLogout",
  "backchannelLogoutStatus",
  "frontchannelLogout",
];

/** Counts everything. A figure is the number of its items. */
export function takeCensus(sources: Sources, entryPoints: EntryPoints): Figures {
  const arrows = arrowsOf(sources);
  return new Map([
    ["Circles of folders", circlesIn(arrows).map((circle) => circle.join(" ↔ "))],
    ["Arrows between folders", listArrows(arrows)],
    ["Single files below a root in `tools/layers.ts`", workspaces.flatMap(singleFilesBelowRoot)],
    ["Settings", settingDefinitions.map(({ option }) => option)],
    ["Options in code only", leavesOf(sources, "config/code-options.ts", "CodeOptions")],
    ["Reasons", Object.keys(reasons)],
    ["Log events", eventNames(sources)],
    ["Entry points", [...entryPoints.keys()]],
    ["Public names", publicNames(sources, entryPoints)],
    ["Leaves of `Context`", leavesOf(sources, "context.ts", "Context")],
    ["Leaves of the session header", leavesOf(sources, "session/session.ts", "SealedHeader")],
    ["Leaves of `Store`", leavesOf(sources, "stores/store.ts", "Store")],
    ["Functions that take `Context`", functionsWithContext(sources)],
    ["Files elsewhere that read settings of the provider", providerReaders(sources)],
  ]);
}

function listArrows(arrows: Arrows): readonly string[] {
  return [...arrows].flatMap(([from, parts]) => [...parts].map((to) => `${from} → ${to}`));
}

function eventNames(sources: Sources): readonly string[] {
  return eventsOf(sources.get("telemetry/log-event.ts") ?? "", "Event").map(({ name }) => name);
}

function publicNames(sources: Sources, entryPoints: EntryPoints): readonly string[] {
  return [...entryPoints].flatMap(([entry, file]) =>
    file === null ? [] : exportedNames(sources, file).map((name) => `${entry} ${name}`),
  );
}

/** Frameworks have a type of this name, too. */
const usesContext = /from "(?:\.\.?\/)+context\.ts"/;

function functionsWithContext(sources: Sources): readonly string[] {
  return [...sources]
    .filter(([file, text]) => file === "context.ts" || usesContext.test(text))
    .flatMap(([file, text]) => functionsThatTake("Context", text).map((line) => `${file}:${line}`));
}

/** The command is left out: to look at settings is its job. */
const mayReadAll = /^(?:oidc|config|cli)\//;

function providerReaders(sources: Sources): readonly string[] {
  return [...sources].flatMap(([file, text]) => {
    if (mayReadAll.test(file)) return [];
    const read = settingsReadIn(text, providerSettings);
    return read.length === 0 ? [] : [`${file}: ${read.join(", ")}`];
  });
}

/** The imports between parts of the engine, as `tools/layers.ts` has them. */
function arrowsOf(sources: Sources): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    const from = partOf(file);
    const own = arrows.get(from) ?? new Set();
    arrows.set(from, own);
    for (const { specifier } of importsOf(file, text)) {
      const to = partOf(path.posix.join(path.posix.dirname(file), specifier));
      if (specifier.startsWith(".") && to !== from) own.add(to);
    }
  }
  return arrows;
}

const engine = workspaces.find(({ root }) => root === "packages/latchkey/src");

function partOf(file: string): string {
  return (engine && placeOf(engine, file)?.part) ?? file;
}
