import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

import { connectionsFileVariable, type SecretPath } from "../../config/environment.ts";
import type { Secrets, SecretsObserver } from "../../config/code-options.ts";
import { type FilesToRead, secretsOf, type Texts } from "../../config/settings-in-files.ts";
import { faultOfJSON, parseStrictJSON } from "../../crypto/strict-json.ts";

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

interface NamedFile extends Pick<SecretPath, "file" | "variable"> {
  readonly isJSON: boolean;
}

/** Reads the files synchronously: a server starts with them or not at all. */
export function openSecretFiles(files: FilesToRead, everyMs = readEveryMs): SecretFiles {
  const named = namedFiles(files);
  const { texts, warnings } = readNow(named);
  let inForce = JSON.stringify([...texts]);

  return {
    secrets: secretsOf(texts, files),
    warnings,
    watch(observer) {
      let before = inForce;
      let isStopped = false;
      async function look(): Promise<void> {
        const read = await readAll(named);
        const seen = read instanceof Error ? read.message : JSON.stringify([...read]);
        const isSettled = seen === before;
        before = seen;
        if (isStopped || !isSettled || seen === inForce) return;
        inForce = seen;
        if (read instanceof Error) observer.error(read);
        else observer.next(secretsOf(read, files));
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

function namedFiles({ secretFiles = [], connectionsFile }: FilesToRead): readonly NamedFile[] {
  const ofSecrets = secretFiles.map(({ file, variable }) => ({ file, variable, isJSON: false }));
  if (connectionsFile === undefined) return ofSecrets;
  return [...ofSecrets, { file: connectionsFile, variable: connectionsFileVariable, isJSON: true }];
}

function readNow(files: readonly NamedFile[]): {
  readonly texts: Texts;
  readonly warnings: readonly string[];
} {
  const texts = new Map<string, string>();
  const warnings: string[] = [];
  for (const named of files) {
    try {
      texts.set(named.variable, usableText(named, readFileSync(named.file)));
    } catch (error) {
      warnings.push(`${named.variable} names a file that cannot be used: ${error as Error}`);
    }
  }
  return { texts, warnings };
}

async function readAll(files: readonly NamedFile[]): Promise<Texts | Error> {
  try {
    const texts = files.map(
      async (named) => [named.variable, usableText(named, await readFile(named.file))] as const,
    );
    return new Map(await Promise.all(texts));
  } catch (error) {
    return error as Error;
  }
}

/** @throws {Error} if the file is empty, or no JSON: it may be written at this moment */
function usableText({ file, isJSON }: NamedFile, content: Buffer): string {
  const text = content.toString("utf8").trim();
  if (text === "") throw new Error(`${file} is empty`);
  if (isJSON && parseStrictJSON(content) === null)
    throw new Error(`${file} has no settings of connections: ${faultOfJSON(content)}`);
  return text;
}
