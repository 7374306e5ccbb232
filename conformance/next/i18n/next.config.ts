import path from "node:path";
import type { NextConfig } from "next";

const root = path.join(import.meta.dirname, "..");

export default {
  basePath: process.env["BASE_PATH"] ?? "",
  i18n: { locales: ["en", "de"], defaultLocale: "en" },
  turbopack: { root },
  outputFileTracingRoot: root,
} satisfies NextConfig;
