import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

import { fileVariableOf, type SecretPaths, secretsIn } from "../../config/environment.ts";
import type { Secrets, SecretsObserver } from "../../config/parts.ts";

export interface SecretFiles {
  /** What they hold now. */
  readonly secrets: Secrets;
  /** One sentence for each unreadable file. */
  readonly warnings: readonly string[];
  /**
   * Reports every change to the observer, whether a file is written in place or swapped by a
   * symbolic link, as Kubernetes does with mounted Secrets. Keeps no process alive.
   *
   * @returns a function to stop it
   */
  watch(observer: SecretsObserver): () => void;
}

/** A change counts when it was read twice alike, so it takes effect within two periods. */
const readEveryMs = 5000;

type Texts = Partial<Record<keyof Secrets, string>>;

/** Reads the files synchronously: a server starts with them or not at all. */
export function openSecretFiles(paths: SecretPaths, everyMs = readEveryMs): SecretFiles {
  const { texts, warnings } = readNow(paths);
  let inForce = JSON.stringify(texts);

  return {
    secrets: secretsOf(texts),
    warnings,
    watch(observer) {
      let before = inForce;
      let isStopped = false;
      async function look(): Promise<void> {
        const read = await readAll(paths);
        const seen = read instanceof Error ? read.message : JSON.stringify(read);
        const isSettled = seen === before;
        before = seen;
        if (isStopped || !isSettled || seen === inForce) return;
        inForce = seen;
        if (read instanceof Error) observer.error(read);
        else observer.next(secretsOf(read));
      }
      let timer: NodeJS.Timeout;
      function lookLater(): void {
        if (isStopped) return;
        timer = setTimeout(() => void look().finally(lookLater), everyMs).unref();
      }
      lookLater();
      return () => {
        isStopped = true;
        clearTimeout(timer);
      };
    },
  };
}

function readNow(paths: SecretPaths): { readonly texts: Texts; readonly warnings: string[] } {
  const texts: Texts = {};
  const warnings: string[] = [];
  for (const [option, path] of entriesOf(paths)) {
    try {
      texts[option] = usableText(path, readFileSync(path, "utf8"));
    } catch (error) {
      warnings.push(
        `${fileVariableOf(option)} names a file that cannot be used: ${error as Error}`,
      );
    }
  }
  return { texts, warnings };
}

async function readAll(paths: SecretPaths): Promise<Texts | Error> {
  try {
    const texts = entriesOf(paths).map(async ([option, path]) => [
      option,
      usableText(path, await readFile(path, "utf8")),
    ]);
    return Object.fromEntries(await Promise.all(texts)) as Texts;
  } catch (error) {
    return error as Error;
  }
}

function entriesOf(paths: SecretPaths): [keyof Secrets, string][] {
  return Object.entries(paths) as [keyof Secrets, string][];
}

/** @throws {Error} if the file is empty: it may be written at this moment */
function usableText(path: string, content: string): string {
  const text = content.trim();
  if (text === "") throw new Error(`${path} is empty`);
  return text;
}

function secretsOf({ secret, ...others }: Texts): Secrets {
  return secret === undefined ? others : { ...others, secret: secretsIn(secret) };
}
