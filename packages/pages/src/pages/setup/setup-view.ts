/** How far one setting is. */
export type SettingState = "ok" | "missing" | "wrong";

/** One line of the checklist. */
export interface SettingRow {
  readonly variable: string;
  readonly state: SettingState;
  /** What is wrong and what to do, in English, from the engine. */
  readonly message?: string;
  readonly remedy?: string;
  /** The value found; never a secret. */
  readonly seen?: string | undefined;
}

/** What the first-run page shows. */
export interface SetupView {
  readonly rows: readonly SettingRow[];
  readonly callbackURL: string;
  readonly signOutReturnURL: string;
  readonly backchannelURL: string;
  /** Whether this is an app of the developer, not the web application. */
  readonly isOwnApp: boolean;
}

/** The names of the three addresses at well-known providers. */
export const providerFields: readonly {
  readonly name: string;
  readonly callback: string;
  readonly signOutReturn?: string;
  readonly backchannel?: string;
}[] = [
  {
    name: "Auth0",
    callback: "Allowed Callback URLs",
    signOutReturn: "Allowed Logout URLs",
    backchannel: "Back-Channel Logout URI",
  },
  {
    name: "Microsoft Entra ID",
    callback: "Redirect URIs (platform: Web)",
    signOutReturn: "Redirect URIs (the same list)",
  },
  { name: "Google", callback: "Authorized redirect URIs" },
  {
    name: "Keycloak",
    callback: "Valid redirect URIs",
    signOutReturn: "Valid post logout redirect URIs",
    backchannel: "Backchannel logout URL",
  },
  {
    name: "Okta",
    callback: "Sign-in redirect URIs",
    signOutReturn: "Sign-out redirect URIs",
  },
];
