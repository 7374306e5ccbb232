import { versions } from "node:process";

import { ambient } from "../../ambient.ts";
import type { Terminal } from "../command.ts";
import { addressChecks, appChecks } from "./app/app-checks.ts";
import { type AppAnswers, askApp } from "./app/ask-app.ts";
import { askRelay } from "./app/ask-relay.ts";
import { readRunningConfig } from "./app/running-config.ts";
import { type Answer, type Fetch, isBusy, isResponse, textIn } from "./ask.ts";
import { type Finding, type Judgement, notAsked, notKnown } from "./finding.ts";
import { defaultID } from "../../config/constants.ts";
import { clientsToAsk, inConnection, showRegistration } from "./provider/clients.ts";
import { askProvider, type ProviderAnswers } from "./provider/ask-provider.ts";
import { refusesRedirect } from "./provider/judge-client.ts";
import { findMissingCertificates, proxyFor } from "./provider/judge-reachable.ts";
import { providerChecks } from "./provider/provider-checks.ts";
import { runChecks } from "./run-checks.ts";
import { isInContainer } from "./settings/deployment-files.ts";
import { type Project, readProject } from "./settings/project.ts";
import { onlyMisses } from "./settings/setting-faults.ts";
import { settingChecks } from "./settings/setting-checks.ts";
import { askStore, readStore, storeChecks } from "./store/check-store.ts";

export interface Questions {
  readonly offline: boolean;
  readonly probe: boolean;
  /** The connection whose provider is asked; that of the flat settings and others by default. */
  readonly connection?: string | undefined;
  /** Of the running app. */
  readonly address: string | undefined;
}

/** All questions together, so that a report never takes longer than 15 seconds. */
const timeLimitMs = 14_000;

/** Runs all checks: settings, store, provider and app, causes first. */
export async function findFaults(
  { cwd, environment }: Terminal,
  { offline, probe, address, connection }: Questions,
): Promise<readonly Finding[]> {
  const deadline = AbortSignal.timeout(timeLimitMs);
  const fetch = until(deadline);
  const project = await withRunningApp(
    readProject(cwd, environment, versions.node),
    offline ? undefined : address,
    fetch,
  );
  const failed = new Set<string>();
  const findings = [...runChecks(settingChecks, project, failed)];
  const { config, isInCode = false } = project;
  const clients = config === null || isInCode ? [] : clientsToAsk(config, connection);
  const registered =
    config === null || connection === undefined ? [] : showRegistration(config, connection);
  if (offline) {
    const ofStore = runChecks(storeChecks, readStore(project), failed);
    return [...findings, ...ofStore, ...registered];
  }
  if (config === null) {
    return [...findings, ...runChecks(storeChecks, await askStore(project, cwd), failed)];
  }
  const ofAddress =
    address === undefined ? [] : runChecks(addressChecks, { address, config }, failed);
  // The app at another address than the base URL may lead on to the one of users.
  const asksApp = address !== undefined && !failed.has("D29");
  const [store, answers, app] = await Promise.all([
    askStore(project, cwd),
    Promise.all(
      clients.map(async ({ id, config: ofClient }) => {
        const own = await askProvider(ofClient, { isProbe: probe, relay: null }, fetch);
        if (!asksApp || !refusesRedirect(own)) return own;
        const relay = await askRelay(config, { id, address }, fetch);
        return relay === null ? own : askProvider(ofClient, { isProbe: probe, relay }, fetch);
      }),
    ),
    asksApp ? askApp(config, address, fetch) : null,
  ]);
  findings.push(...runChecks(storeChecks, store, failed), ...ofAddress);
  for (const [nth, { id }] of clients.entries()) {
    const failedHere = id === defaultID ? failed : new Set(failed);
    findings.push(...inConnection(id, ofProvider(answers[nth], environment, failedHere)));
  }
  findings.push(...registered);
  const provider = answers[clients.findIndex(({ id }) => id === defaultID)] ?? null;
  return address === undefined
    ? findings
    : [...findings, ...ofApp(app, provider, deadline.aborted, failed)];
}

function ofProvider(
  answers: ProviderAnswers | undefined,
  environment: Terminal["environment"],
  failed: Set<string>,
): readonly Finding[] {
  if (answers === undefined) return [];
  const facts = {
    ...answers,
    proxy: proxyFor(answers.config.issuerBaseURL, environment),
    isInContainer: isInContainer(environment),
    missingCertificates: findMissingCertificates(environment),
  };
  return runChecks(providerChecks, facts, failed);
}

/** If settings are missing, the running app may have them in code. */
async function withRunningApp(
  project: Project,
  address: string | undefined,
  fetch: Fetch,
): Promise<Project> {
  if (address === undefined || !onlyMisses(project)) return project;
  const config = await readRunningConfig(project.options, address, fetch);
  return config === null ? project : { ...project, config, isInCode: true };
}

function ofApp(
  app: AppAnswers | null,
  provider: ProviderAnswers | null,
  isLate: boolean,
  failed: Set<string>,
): readonly Finding[] {
  if (app === null) return runChecks(without(notAsked("D29 comes first")), null, failed);
  // What was cut off looks like a refusal of the app.
  if (isLate && isResponse(app.me[0])) {
    const slow = notKnown("The app takes too long to answer.", "Run the doctor once more.");
    return runChecks(without(slow), null, failed);
  }
  const at = (name: string) => {
    const endpoint = textIn(provider?.metadata ?? null, name);
    return URL.canParse(endpoint) ? endpoint : null;
  };
  const facts = {
    ...app,
    authorizationEndpoint: at("authorization_endpoint"),
    endSessionEndpoint: at("end_session_endpoint"),
    isProviderBusy: provider !== null && answersOf(provider).some(isBusy),
  };
  return runChecks(appChecks, facts, failed);
}

function answersOf(provider: ProviderAnswers): readonly Answer[] {
  const { discovery, keys, keysAgain, again, authorization, endSession, token, tokenHead } =
    provider;
  const others = [keys, authorization, endSession, token, tokenHead].filter(
    (each) => each !== null,
  );
  return [discovery, ...others, ...keysAgain, ...again];
}

/** The checks of the app, with one judgement for all of them. */
const without = (judgement: Judgement) =>
  appChecks.map(({ id, title }) => ({ id, title, judge: () => judgement }));

/** A `fetch` that ends with a deadline. */
function until(deadline: AbortSignal): Fetch {
  return (url, init) => {
    const signals = [deadline, ...(init?.signal ? [init.signal] : [])];
    return ambient.fetch(url, { ...init, signal: AbortSignal.any(signals) });
  };
}
