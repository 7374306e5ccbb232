import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  statSync,
} from "node:fs";
import path from "node:path";

import { isLoopback } from "../../../config/rules/rule.ts";
import { ConfigError } from "../../../errors/config-error.ts";
import { checkSharedStore } from "../../../stores/shared-store.ts";
import { failure, type Judgement, note, notAsked, notKnown, ok, warning } from "../finding.ts";
import type { Check } from "../finding.ts";
import { instancesOf } from "../settings/instances.ts";
import { judgeContainers } from "../settings/judge-containers.ts";
import type { Project } from "../settings/project.ts";

/** What was found of the store. Nothing is written to it. */
export interface StoreFacts {
  readonly project: Project;
  readonly judgement: Judgement;
}

const openAtMostMs = 5000;

/** Looks at the store of a project: connects, reads nothing and writes nothing. */
export async function askStore(project: Project, folder: string): Promise<StoreFacts> {
  const judgement = judgeSetting(project) ?? (await judgeStore(project, folder));
  return { project, judgement };
}

/** The setting of the store alone. */
export function readStore(project: Project): StoreFacts {
  return { project, judgement: judgeSetting(project) ?? notAsked("only the setting was judged") };
}

const addressOf = ({ variables }: Project): string => variables["LATCHKEY_STORE"] ?? "";

const kindOf = (address: string): string => /^[a-z]+/.exec(address)?.[0] ?? "";

/** Judges the setting; `null` if only the store itself can show more. */
function judgeSetting(project: Project): Judgement | null {
  const { config, variables } = project;
  const address = addressOf(project);
  if (address === "") {
    if (config === null || isLoopback(config.baseURL)) return ok;
    return note(
      "There is no store: logout ends a session in this browser only.",
      "Set LATCHKEY_STORE, for example to sqlite:data/latchkey.db.",
    );
  }
  const kind = kindOf(address);
  try {
    checkSharedStore(kind, config?.instances ?? (Number(variables["LATCHKEY_INSTANCES"]) || 1));
  } catch {
    return failure(
      `The store ${kind}: is for one machine, and LATCHKEY_INSTANCES says more.`,
      "Name a store that all instances reach, such as redis:// or postgres://.",
    );
  }
  const apart = instancesOf(project);
  const isShared = kind !== "memory" && (kind !== "sqlite" || apart?.areApart !== true);
  if (apart !== null && !isShared) {
    return failure(
      `Each instance of the app has a store of its own with ${kind}:, and ${apart.said}.`,
      "Name a store that all instances reach, such as redis:// or postgres://.",
    );
  }
  const [elsewhere] = judgeContainers(project, "LATCHKEY_STORE");
  if (elsewhere !== undefined) return elsewhere;
  const ofPlace = kind === "sqlite" ? judgePlace(address, config?.production === true) : null;
  if (ofPlace !== null) return ofPlace;
  if (kind !== "memory") return null;
  return config?.production === true
    ? warning(
        "The store is the memory of the process: a restart signs users out.",
        "Set LATCHKEY_STORE to another store, for example to sqlite:data/latchkey.db.",
      )
    : ok;
}

/** Folders that the system makes itself, and those that it empties at a start. */
const systemFolder = /^\/(?:proc|sys|dev)(?:\/|$)/;
const emptiedFolder = /^\/(?:tmp|var\/tmp|run|var\/run|dev\/shm)(?:\/|$)/;

/** Judges the folder of a file as it is named. */
function judgePlace(address: string, isProduction: boolean): Judgement | null {
  const file = path.posix.normalize(address.slice("sqlite:".length));
  if (emptiedFolder.test(file)) {
    return isProduction
      ? warning(
          `The store ${file} lies in a folder that is emptied at each start: that signs users out.`,
          "Name a folder that stays, such as data/latchkey.db.",
        )
      : null;
  }
  return systemFolder.test(file)
    ? failure(
        `The store ${file} cannot be made: its folder belongs to the system.`,
        "Name a file in a folder of the app, such as data/latchkey.db.",
      )
    : null;
}

async function judgeStore(project: Project, folder: string): Promise<Judgement> {
  const address = addressOf(project);
  return kindOf(address) === "sqlite"
    ? judgeFile(path.resolve(folder, address.slice("sqlite:".length)))
    : judgeServer(address, project);
}

function judgeFile(file: string): Judgement {
  if (existsSync(file)) {
    if (!statSync(file).isFile()) {
      return failure(
        `The store ${file} is no file.`,
        "Name a file in a folder, such as data/latchkey.db.",
      );
    }
    if (!isDatabase(file)) {
      return failure(`The store ${file} is no database of SQLite.`, "Name another file.");
    }
  }
  // SQLite creates the folders of a new file itself, so the nearest existing one counts.
  const place = nearest(file);
  if (place !== file && !statSync(place).isDirectory()) {
    return failure(
      `The store ${file} cannot be made: ${place} is no folder.`,
      "Name another folder.",
    );
  }
  try {
    accessSync(place, constants.R_OK | constants.W_OK);
    return ok;
  } catch {
    return failure(
      `The store ${file} cannot be written by this account.`,
      "Give the account of the app the right to write there.",
    );
  }
}

/** As every file of SQLite begins; an empty one is a database without tables. */
function isDatabase(file: string): boolean {
  try {
    const descriptor = openSync(file, "r");
    const head = new Uint8Array(16);
    const length = readSync(descriptor, head);
    closeSync(descriptor);
    return length === 0 || new TextDecoder().decode(head) === "SQLite format 3\0";
  } catch {
    // The check of the rights reports it.
    return true;
  }
}

function nearest(place: string): string {
  return existsSync(place) ? place : nearest(path.dirname(place));
}

async function judgeServer(address: string, project: Project): Promise<Judgement> {
  const { copies } = project;
  const timer = new AbortController();
  try {
    const looked = await Promise.race([lookAt(address, project), late(timer.signal)]);
    return looked ?? cannotConnect(address, "no answer within 5 seconds");
  } catch (error) {
    const [fault] = error instanceof ConfigError ? error.faults : [];
    const message = fault?.message ?? (error instanceof Error ? error.message : String(error));
    const [, missing] = /needs the package (\S+)/.exec(message) ?? [];
    if (missing !== undefined) {
      // From the cache of npx the packages of the app cannot be seen.
      return copies.length > 0
        ? failure(
            `The store needs the package ${missing}, which is not installed.`,
            `npm install ${missing}`,
          )
        : notKnown(`The store was not asked: ${message}`);
    }
    if (fault !== undefined && !/ cannot be /.test(message)) {
      return failure(`LATCHKEY_STORE ${message}.`, fault.remedy);
    }
    return cannotConnect(address, message.replaceAll(address, "the address"));
  } finally {
    timer.abort();
  }
}

/** Connects as the app does, and writes nothing. */
async function lookAt(address: string, project: Project): Promise<Judgement> {
  if (/^postgres(?:ql)?:/.test(address)) return lookAtDatabase(address, project);
  const { openStore } = await import("../../../stores/open-store.ts");
  const opened = await openStore(address);
  try {
    return judgeWarnings((await opened.warnings?.()) ?? [], project);
  } finally {
    await opened.close();
  }
}

/** Opening the store would make its table. */
async function lookAtDatabase(address: string, project: Project): Promise<Judgement> {
  const { lookAtPostgres } = await import("../../../stores/postgres/look-at-postgres.ts");
  const { isReplica, hasTable, isAllowed, warnings } = await lookAtPostgres(address);
  if (isReplica) {
    return failure(
      "The store is a replica, which only reads.",
      "Name the primary in LATCHKEY_STORE.",
    );
  }
  if (isAllowed) return judgeWarnings(warnings, project);
  return hasTable
    ? failure(
        "The user of the store may not read and write the table latchkey.",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON latchkey to this user.",
      )
    : failure(
        "The store has no table latchkey, and its user may not make it.",
        "Make the table as the owner of the database, or grant CREATE on the schema to this user.",
      );
}

/** A store of development may forget. */
function judgeWarnings([first]: readonly string[], { config }: Project): Judgement {
  if (first === undefined) return ok;
  const judge = config !== null && isLoopback(config.baseURL) ? note : warning;
  return judge(first, "Change it at the store.");
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
