import { defineConfig } from "rolldown";

const shared = {
  external: /^node:/,
  platform: "neutral",
  resolve: { conditionNames: ["workerd", "worker", "import", "default"] },
};
const output = { format: "esm", minify: true, comments: false };

export default defineConfig([
  { ...shared, input: "worker.ts", output: { ...output, file: "dist/worker.js" } },
  { ...shared, input: "smallest.ts", output: { ...output, file: "dist/smallest.js" } },
]);
