import type { MessageKey } from "../messages/languages.ts";
import type { Values } from "../messages/words.ts";
import { AccountScreen } from "./account/account-screen.tsx";
import type { AccountView } from "./account/account-view.ts";
import { DevicesScreen } from "./devices/devices-screen.tsx";
import { WelcomeScreen } from "./home/welcome-screen.tsx";
import { SampleScreen, type SampleProps } from "./sample/sample-screen.tsx";
import type { SignedInPerson } from "../components/signed-in-shell.tsx";

/** A page for signed-in people: hydrated in the browser. Plain data, because it travels inside the page. */
export type LiveView =
  | { readonly screen: "account"; readonly view: AccountView }
  | { readonly screen: "devices"; readonly person: SignedInPerson }
  | { readonly screen: "sample"; readonly sample: SampleProps }
  | { readonly screen: "welcome"; readonly person: SignedInPerson };

/** The screen of a live view. */
export function LiveScreen({ view }: { view: LiveView }) {
  switch (view.screen) {
    case "account":
      return <AccountScreen view={view.view} />;
    case "devices":
      return <DevicesScreen person={view.person} />;
    case "sample":
      return <SampleScreen {...view.sample} />;
    case "welcome":
      return <WelcomeScreen person={view.person} />;
  }
}

/** Title of a live view. */
export function liveTitle(view: LiveView): { id: MessageKey; values?: Values } {
  switch (view.screen) {
    case "account":
      return { id: "account.title" };
    case "devices":
      return { id: "devices.title" };
    case "sample":
      return { id: "sample.title" };
    case "welcome":
      return { id: "home.in.title", values: { name: view.person.name } };
  }
}

/** First parts of the names of all messages that live views need in the browser. */
export const liveMessages: readonly string[] = [
  "access.",
  "account.",
  "action.",
  "devices.",
  "home.in.",
  "language.",
  "nav.",
  "sample.",
  "session.",
  "shell.",
  "when.",
];
