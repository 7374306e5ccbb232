// Runs the deployed form of the worker under workerd, as by `wrangler deploy`, with its variables.
import { Miniflare } from "miniflare";

const others = ["API_ISSUER", "NODE_ENV", "UPSTREAM", "WITH_PAGES"];
const isBinding = (name) => name.startsWith("LATCHKEY_") || others.includes(name);

const worker = new Miniflare({
  host: process.env.HOST,
  port: Number(process.env.PORT),
  modules: true,
  // Otherwise it requests details of this machine from the platform before it starts.
  cf: false,
  scriptPath: "dist/worker.js",
  compatibilityDate: "2026-07-01",
  compatibilityFlags: ["nodejs_compat"],
  bindings: Object.fromEntries(Object.entries(process.env).filter(([name]) => isBinding(name))),
});
await worker.ready;
