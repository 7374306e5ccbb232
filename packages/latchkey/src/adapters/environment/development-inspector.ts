import type { Part } from "../../host/part.ts";

/** As bundlers know it: they replace the variable by its value. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The inspector: a bundle for production lacks it, and no server in production loads it. */
export const developmentInspector: Part<"inspector"> | undefined =
  process.env.NODE_ENV === "production"
    ? undefined
    : {
        name: "inspector",
        written: { place: "inspector", call: "createAuth()", options: {}, forms: {} },
        open: async (engine) =>
          engine.config.production
            ? {}
            : (await import("../../inspector/index.ts")).inspector.open(engine),
      };
