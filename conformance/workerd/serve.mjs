// Runs the worker under workerd: what `wrangler deploy` would send to the platform, with its variables.
import { Miniflare } from "miniflare";

const others = ["NODE_ENV", "UPSTREAM"];
const isBinding = (name) => name.startsWith("LATCHKEY_") || others.includes(name);

const worker = new Miniflare({
  host: process.env.HOST,
  port: Number(process.env.PORT),
  modules: true,
  // Else it asks the platform for details of this machine before it starts.
  cf: false,
  scriptPath: "dist/worker.js",
  compatibilityDate: "2026-07-01",
  compatibilityFlags: ["nodejs_compat"],
  bindings: Object.fromEntries(Object.entries(process.env).filter(([name]) => isBinding(name))),
});
await worker.ready;
