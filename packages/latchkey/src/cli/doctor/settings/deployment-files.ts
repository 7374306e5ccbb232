import { existsSync, globSync } from "node:fs";
import path from "node:path";

import { readIfAny } from "../../env/read-if-any.ts";

/** A file that says how an app is run, or that is a part of it. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

const patterns = {
  compose: "{,.devcontainer/,docker/}{docker-,}compose{,.*}.{yaml,yml}",
  kubernetes: "{,k8s/,kubernetes/,deploy/,manifests/}*.{yaml,yml}",
  pm2: "{ecosystem.config,pm2.config,process,pm2}.{js,cjs,mjs,ts,json,yaml,yml}",
  platform: "{fly.toml,render.yaml,Procfile,app.json}",
  server: "{,src/}{server,index,main,app,cluster}.{js,mjs,cjs,ts,mts}",
  framework: "{svelte,astro,vite}.config.{js,mjs,cjs,ts,mts}",
} as const;

/** By what they are for. */
export type DeploymentFiles = Readonly<Record<keyof typeof patterns, readonly TextFile[]>>;

/** Reads what stands beside an app. */
export function readDeploymentFiles(folder: string): DeploymentFiles {
  const read = (pattern: string): readonly TextFile[] =>
    globSync(pattern, { cwd: folder })
      .toSorted()
      .map((name) => ({ name, text: readIfAny(path.join(folder, name)) ?? "" }));
  return {
    compose: read(patterns.compose),
    kubernetes: read(patterns.kubernetes).filter(({ text }) => /^kind:/m.test(text)),
    pm2: read(patterns.pm2),
    platform: read(patterns.platform),
    server: read(patterns.server),
    framework: read(patterns.framework),
  };
}

/** Whether this process runs in a container, whose `localhost` is its own. */
export function isInContainer(environment: Readonly<Record<string, string | undefined>>): boolean {
  const marks = ["/.dockerenv", "/run/.containerenv"];
  return (
    marks.some((file) => existsSync(file)) ||
    environment["KUBERNETES_SERVICE_HOST"] !== undefined ||
    environment["container"] !== undefined
  );
}
