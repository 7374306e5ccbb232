import type { InspectorPart } from "../../host/inspector.ts";

/** As bundlers know it: they replace the variable by its value. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The inspector: a bundle for production lacks it, and no server in production loads it. */
export const developmentInspector: InspectorPart | undefined =
  process.env.NODE_ENV === "production"
    ? undefined
    : async (config) => (await import("../../inspector/index.ts")).inspector(config);
