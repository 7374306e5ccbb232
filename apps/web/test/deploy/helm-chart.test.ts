import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Ajv } from "ajv";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

import { findHelm } from "../../../../packages/latchkey/test/servers/helm.ts";

const folder = new URL("../../../../examples/deploy/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), "utf8");
const chart = fileURLToPath(new URL("helm", folder));
const helm = findHelm() ?? "";

interface Document {
  readonly kind: string;
  readonly data?: object;
  readonly spec: object;
}

const documentsOf = (text: string): readonly Document[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Document | null)
    .filter((document) => document !== null);

const { settings: ownSettings, ...values } = parse(read("helm/values.yaml"));
const required = {
  LATCHKEY_BASE_URL: "https://app.example.com",
  LATCHKEY_ISSUER_BASE_URL: "https://your-provider.example",
  LATCHKEY_CLIENT_ID: "your-client",
};
const settings = { ...ownSettings, ...required };

function run(command: string, given: object) {
  const args = [command, ...(command === "template" ? ["latchkey"] : ["--strict"]), chart];
  return spawnSync(helm, [...args, "--values", "-"], {
    input: JSON.stringify(given),
    encoding: "utf8",
  });
}

function render(given: object): readonly Document[] {
  const { stdout, stderr } = run("template", given);
  expect(stderr).toBe("");
  return documentsOf(stdout);
}

const find = (documents: readonly Document[], kind: string) =>
  documents.find((document) => document.kind === kind);

describe("the schema of the values", () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(read("helm/values.schema.json")));

  test("accepts the defaults with the required settings", () => {
    expect([validate({ ...values, settings }), validate.errors]).toEqual([true, null]);
  });

  test("accepts the values of the guide", () => {
    const guide = read("../../docs/guides/kubernetes.md");
    const [, block = ""] = /```yaml\n# values\.yaml\n([^`]+)```/.exec(guide) ?? [];
    const given = { ...values, ...(parse(block) as object) };
    expect([validate(given), validate.errors]).toEqual([true, null]);
    expect(given).toMatchObject({ settings: { LATCHKEY_CLIENT_ID: "my-app" } });
  });

  test.each<[string, object]>([
    ["no client", { settings: { ...settings, LATCHKEY_CLIENT_ID: undefined } }],
    ["a secret among the settings", { settings: { ...settings, LATCHKEY_SECRET: "x" } }],
    ["a variable of something else", { settings: { ...settings, NODE_OPTIONS: "--inspect" } }],
    ["a setting that is no text", { settings: { ...settings, LATCHKEY_SESSION_STATEFUL: true } }],
    ["a store of one pod", { settings: { ...settings, LATCHKEY_STORE: "sqlite:data.db" } }],
    ["an address without https", { settings: { ...settings, LATCHKEY_BASE_URL: "http://a" } }],
    ["no pod", { replicas: 0 }],
    ["a digest that is none", { image: { repository: "a", digest: "latest" } }],
    ["any namespace as the gateway", { networkPolicy: { enabled: true, gateway: {} } }],
    ["a misspelt value", { networkpolicy: { enabled: false } }],
  ])("refuses %s", (_, wrong) => {
    const given = JSON.parse(JSON.stringify({ ...values, settings, ...wrong })) as object;
    expect(validate(given)).toBe(false);
  });
});

describe.skipIf(helm === "")("Helm", () => {
  test("finds no fault in the chart", () => {
    const { status, stdout } = run("lint", { settings });
    expect([status, stdout]).toEqual([0, expect.stringContaining("0 chart(s) failed")]);
  });

  test("refuses values that the schema refuses", () => {
    const { status, stderr } = run("template", {});
    expect([status, stderr]).toEqual([1, expect.stringContaining("LATCHKEY_CLIENT_ID")]);
  });

  test("renders what the manifest has", () => {
    const rendered = render({ settings, image: { repository: "latchkey" } });
    const manifest = documentsOf(read("kubernetes/latchkey.yaml"));
    expect(rendered.map(({ kind }) => kind).toSorted()).toEqual(
      manifest.map(({ kind }) => kind).toSorted(),
    );
    for (const { kind, data, spec } of manifest) {
      const same = find(rendered, kind);
      expect(same?.data).toEqual(data);
      expect(same?.spec).toEqual(
        kind === "Deployment" ? withAnnotations(spec, same?.spec ?? {}) : spec,
      );
    }
  });

  test("renders what fits the schemas of Kubernetes, whatever is turned on", () => {
    const kinds = { ConfigMap, Deployment, NetworkPolicy, PodDisruptionBudget, Service };
    const route = { parentRefs: [{ name: "public" }], hostnames: ["app.example.com"] };
    const digest = `sha256:${"a".repeat(64)}`;
    const more = { route, checkPort: 3001, image: { ...values.image, digest } };
    const documents = render({ settings, ...more });
    for (const document of documents) {
      if (document.kind === "HTTPRoute") continue;
      const Kind = kinds[document.kind as keyof typeof kinds] as new (data: object) => {
        validate(): void;
      };
      expect(() => new Kind(document).validate()).not.toThrow();
    }
    expect(find(documents, "HTTPRoute")?.spec).toEqual({
      ...route,
      rules: [{ backendRefs: [{ name: "latchkey", port: 80 }] }],
    });
    expect(find(documents, "NetworkPolicy")?.spec).toMatchObject({
      ingress: [{ ports: [{ port: "http" }, { port: "check" }] }],
    });
    expect(find(documents, "Deployment")?.spec).toMatchObject({
      template: {
        spec: { containers: [{ image: `ghcr.io/latchkey-auth/latchkey@${digest}` }] },
      },
    });
  });

  test("replaces the pods if a setting has changed", () => {
    const [one, other] = ["A", "B"].map((name) =>
      find(render({ settings: { ...settings, LATCHKEY_APP_NAME: name } }), "Deployment"),
    );
    expect(one?.spec).not.toEqual(other?.spec);
  });

  test("renders no network policy and no disruption budget if they have no use", () => {
    const documents = render({ settings, replicas: 1, networkPolicy: { enabled: false } });
    expect(documents.map(({ kind }) => kind).toSorted()).toEqual([
      "ConfigMap",
      "Deployment",
      "Service",
    ]);
  });
});

interface PodTemplate {
  readonly template: { readonly metadata: { readonly annotations?: object } };
}

/** The chart adds the digest of the settings to the pods. */
function withAnnotations(spec: object, rendered: object): object {
  const { template } = spec as PodTemplate;
  const { annotations } = (rendered as PodTemplate).template.metadata;
  return { ...spec, template: { ...template, metadata: { ...template.metadata, annotations } } };
}
