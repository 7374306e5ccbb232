import type { MessageKey } from "../messages/languages.ts";
import type { Values } from "../messages/words.ts";
import { AccountScreen } from "../pages/account/account-screen.tsx";
import type { AccountView } from "../pages/account/account-view.ts";
import { DevicesScreen } from "../pages/devices/devices-screen.tsx";
import type { DevicesView, EndDevicesView } from "../pages/devices/devices-view.ts";
import { EndDevicesScreen } from "../pages/devices/end-devices-screen.tsx";
import { WelcomeScreen } from "../pages/home/welcome-screen.tsx";
import { SampleScreen, type SampleProps } from "../pages/sample/sample-screen.tsx";

/** A page for signed-in people. Islands in it come to life in the browser. */
export type LiveView =
  | { readonly screen: "account"; readonly view: AccountView }
  | { readonly screen: "devices"; readonly view: DevicesView }
  | { readonly screen: "end-devices"; readonly view: EndDevicesView }
  | { readonly screen: "sample"; readonly sample: SampleProps }
  | { readonly screen: "welcome"; readonly name: string };

/** The screen of a live view. */
export function LiveScreen({ view }: { view: LiveView }) {
  switch (view.screen) {
    case "account":
      return <AccountScreen view={view.view} />;
    case "devices":
      return <DevicesScreen view={view.view} />;
    case "end-devices":
      return <EndDevicesScreen view={view.view} />;
    case "sample":
      return <SampleScreen {...view.sample} />;
    case "welcome":
      return <WelcomeScreen name={view.name} />;
  }
}

/** Title of a live view. */
export function liveTitle(view: LiveView): { id: MessageKey; values?: Values } {
  switch (view.screen) {
    case "account":
      return { id: "account.title" };
    case "devices":
      return { id: "devices.title" };
    case "end-devices":
      return { id: view.view.which === "all" ? "devices.allTitle" : "devices.othersTitle" };
    case "sample":
      return { id: "sample.title" };
    case "welcome":
      return { id: "home.in.title", values: { name: view.name } };
  }
}
