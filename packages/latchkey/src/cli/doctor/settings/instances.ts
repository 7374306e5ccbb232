import type { TextFile } from "./deployment-files.ts";
import type { Project } from "./project.ts";

/** What starts several instances of an app, as the end of a sentence. */
export interface Instances {
  readonly said: string;
  /** On several machines or in several containers, which share no file. */
  readonly areApart: boolean;
}

const several = "(?:max|-1|0|[2-9]|[1-9]\\d+)\\b";

const ofPM2 = new RegExp(`\\binstances["']?\\s*:\\s*["']?${several}`);
const ofScript = new RegExp(`\\bpm2(?:-runtime)?\\b.*\\s(?:-i|--instances)[\\s=]*${several}`);
const ofReplicas =
  /^\s*(?:replicas|scale|min_machines_running|numInstances)\s*[:=]\s*["']?(?:[2-9]|[1-9]\d+)\b/m;
const ofCluster = /(?:from\s*|require\(\s*|import\(\s*)["'](?:node:)?cluster["']/;

/** Finds what starts several instances of an app; `null` if nothing is seen. */
export function instancesOf(project: Project): Instances | null {
  const { deployment, variables, manifest } = project;
  const has = (files: readonly TextFile[], sign: RegExp) =>
    files.find(({ text }) => sign.test(text));
  const apart = [deployment.compose, deployment.kubernetes, deployment.platform].flat();
  const replicas = has(apart, ofReplicas);
  if (replicas !== undefined) return { said: `${replicas.name} starts several`, areApart: true };
  const concurrency = Number(variables["WEB_CONCURRENCY"]);
  if (concurrency > 1) {
    return { said: `WEB_CONCURRENCY is ${concurrency}`, areApart: false };
  }
  const pm2 = has(deployment.pm2, ofPM2);
  if (pm2 !== undefined) return { said: `${pm2.name} starts several`, areApart: false };
  const scripts = Object.entries(manifest?.scripts ?? {});
  const [script] = scripts.find(([, command = ""]) => ofScript.test(command)) ?? [];
  if (script !== undefined) {
    return { said: `the script ${script} starts several`, areApart: false };
  }
  const server = has(deployment.server, ofCluster);
  if (server !== undefined) return { said: `${server.name} starts several`, areApart: false };
  return null;
}
