/** Settings of former versions, and what replaces each. */
const removedSettings: Readonly<Record<string, string>> = {
  keepFragment:
    "It was removed: after a sign-in that shows a page of the provider, a deep link leads to its page without the fragment. Remove the setting.",
  "session.whenStoreIsDown":
    "It was removed: while the store is down, requests with a session are answered 503. Remove the setting, or leave out LATCHKEY_STORE if the app must not depend on a store.",
};

/** Returns what to do instead of a setting of a former version; `undefined` for any other name. */
export function remedyForRemoved(option: string): string | undefined {
  return removedSettings[option];
}

/** The options of former versions. */
export const removedOptions: readonly string[] = Object.keys(removedSettings);
