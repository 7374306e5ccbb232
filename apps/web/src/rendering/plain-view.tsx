import type { Problem } from "latchkey";

import type { DoorState } from "../components/door-mark.tsx";
import type { MessageKey } from "../messages/languages.ts";
import type { Values } from "../messages/words.ts";
import { EndedScreen, endedTitles, type EndedProps } from "../pages/home/ended-screen.tsx";
import { HomeScreen, type HomeProps } from "../pages/home/home-screen.tsx";
import { problemPlans } from "../pages/problem/problem-plans.ts";
import { ProblemScreen, type ProblemPageFacts } from "../pages/problem/problem-screen.tsx";
import { problemTitle } from "../pages/problem/problem-title.ts";
import { SetupScreen } from "../pages/setup/setup-screen.tsx";
import type { SetupView } from "../pages/setup/setup-view.ts";
import { SignedOutScreen, type SignedOutProps } from "../pages/signed-out/signed-out-screen.tsx";

/** A page that needs no script. */
export type PlainView =
  | { readonly screen: "ended"; readonly props: EndedProps }
  | { readonly screen: "home"; readonly props: HomeProps }
  | { readonly screen: "problem"; readonly problem: Problem; readonly facts: ProblemPageFacts }
  | { readonly screen: "setup"; readonly view: SetupView }
  | { readonly screen: "signed-out"; readonly props: SignedOutProps };

/** The screen of a view. */
export function Screen({ view }: { view: PlainView }) {
  switch (view.screen) {
    case "ended":
      return <EndedScreen {...view.props} />;
    case "home":
      return <HomeScreen {...view.props} />;
    case "problem":
      return <ProblemScreen problem={view.problem} facts={view.facts} />;
    case "setup":
      return <SetupScreen view={view.view} />;
    case "signed-out":
      return <SignedOutScreen {...view.props} />;
  }
}

/** Title of a view; an error says so. */
export function titleOf(view: PlainView): { id: MessageKey; values?: Values; error?: boolean } {
  switch (view.screen) {
    case "ended":
      return { id: endedTitles[view.props.reason] };
    case "home":
      return { id: "home.title" };
    case "setup":
      return { id: "setup.title" };
    case "problem":
      return { ...problemTitle(view.problem), error: problemPlans[view.problem.kind].error };
    case "signed-out":
      return { id: "out.title" };
  }
}

/** What the light of the door says on a page. */
export function doorStateOf(view: PlainView): DoorState {
  switch (view.screen) {
    case "problem":
      return problemPlans[view.problem.kind].mark;
    case "setup":
      return "ending";
    case "ended":
    case "home":
    case "signed-out":
      return "signed-out";
  }
}
