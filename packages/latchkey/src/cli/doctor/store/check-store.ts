import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";

import { isLoopback } from "../../../config/rules/rule.ts";
import { ConfigError } from "../../../errors/config-error.ts";
import { checkSharedStore } from "../../../host/shared-store.ts";
import { failure, type Judgement, note, notKnown, ok, warning } from "../finding.ts";
import type { Check } from "../finding.ts";
import type { Project } from "../settings/project.ts";

/** What was found of the store. Nothing is written to it. */
export interface StoreFacts {
  readonly project: Project;
  readonly judgement: Judgement;
}

const openAtMostMs = 5000;

/** Looks at the store of a project: connects, reads nothing and writes nothing. */
export async function askStore(project: Project, folder: string): Promise<StoreFacts> {
  const address = project.variables["LATCHKEY_STORE"] ?? "";
  return { project, judgement: await judgeStore(address, folder, project) };
}

async function judgeStore(
  address: string,
  folder: string,
  { config, variables }: Project,
): Promise<Judgement> {
  if (address === "") {
    if (config !== null && isLoopback(config.baseURL)) return ok;
    return note(
      "There is no store: logout ends a session in this browser only.",
      "Set LATCHKEY_STORE, for example to sqlite:data/latchkey.db.",
    );
  }
  const kind = /^[a-z]+/.exec(address)?.[0] ?? "";
  try {
    checkSharedStore(kind, config?.instances ?? (Number(variables["LATCHKEY_INSTANCES"]) || 1));
  } catch {
    return failure(
      `The store ${kind}: is for one machine, and LATCHKEY_INSTANCES says more.`,
      "Name a store that all instances reach, such as redis:// or postgres://.",
    );
  }
  if (kind === "memory") {
    return config?.production === true
      ? warning(
          "The store is the memory of the process: a restart signs users out.",
          "Set LATCHKEY_STORE to another store, for example to sqlite:data/latchkey.db.",
        )
      : ok;
  }
  if (kind === "sqlite") return judgeFile(path.resolve(folder, address.slice("sqlite:".length)));
  return judgeServer(address);
}

function judgeFile(file: string): Judgement {
  const place = existsSync(file) ? file : path.dirname(file);
  try {
    // SQLite creates the folder of a new file itself, so the nearest existing one counts.
    accessSync(nearest(place), constants.R_OK | constants.W_OK);
    return ok;
  } catch {
    return failure(
      `The store ${file} cannot be written by this account.`,
      "Give the account of the app the right to write there.",
    );
  }
}

function nearest(place: string): string {
  return existsSync(place) ? place : nearest(path.dirname(place));
}

async function judgeServer(address: string): Promise<Judgement> {
  const { openStore } = await import("../../../stores/open-store.ts");
  const timer = new AbortController();
  try {
    const opened = await Promise.race([openStore(address), late(timer.signal)]);
    if (opened === null) return cannotConnect(address, "no answer within 5 seconds");
    try {
      const warnings = (await opened.warnings?.()) ?? [];
      const [first] = warnings;
      return first === undefined ? ok : warning(first, "Change it at the store.");
    } finally {
      await opened.close();
    }
  } catch (error) {
    const [fault] = error instanceof ConfigError ? error.faults : [];
    const message = fault?.message ?? (error instanceof Error ? error.message : String(error));
    if (/needs the package|Cannot find package/.test(message)) {
      return notKnown(`The store was not asked: ${message}`);
    }
    if (fault !== undefined && !/ cannot be /.test(message)) {
      return failure(`LATCHKEY_STORE ${message}.`, fault.remedy);
    }
    return cannotConnect(address, message.replaceAll(address, "the address"));
  } finally {
    timer.abort();
  }
}

function cannotConnect(address: string, why: string): Judgement {
  const url = URL.parse(address);
  const place = url === null ? "of LATCHKEY_STORE" : `at ${url.protocol}//${url.host}`;
  return failure(
    `The store ${place} cannot be used: ${why.replace(/^.*? cannot be \w+: /, "")}.`,
    "See that the store runs, and that LATCHKEY_STORE has its host, port and password.",
  );
}

function late(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), openAtMostMs);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });
}

export const storeChecks: readonly Check<StoreFacts>[] = [
  { id: "D38", title: "store", judge: ({ judgement }) => judgement },
];
