import { defineConfig } from "rolldown";

export default defineConfig({
  input: "worker.ts",
  external: /^node:/,
  platform: "neutral",
  resolve: { conditionNames: ["workerd", "worker", "import", "default"] },
  output: { file: "dist/worker.js", format: "esm", minify: true, comments: false },
});
