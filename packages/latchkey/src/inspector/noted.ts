import type { CheckList, CheckResult } from "../oidc/checks/check.ts";

/** The steps of a callback that may fail, beside its checks. */
export const stepNames = [
  "Parameters",
  "First response to this sign-in",
  "Metadata of the provider",
  "Token response",
  "Userinfo",
  "Hooks of the app",
  "Session",
] as const;

/** With the keys, which only are a step if they cannot be had. */
export type StepName = (typeof stepNames)[number] | "Keys of the provider";

/** What a callback has done: begun a step, or run the checks of a list. */
export type Noted =
  | { readonly step: StepName }
  | { readonly list: CheckList<never>; readonly results: () => readonly CheckResult[] };
