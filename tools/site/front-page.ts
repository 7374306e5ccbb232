/** The first page of the site: the file that lists the documents, with a head of its own. */
import { addressOf, repositoryAddress } from "./addresses.ts";
import type { Page } from "./pages.ts";

interface Action {
  readonly text: string;
  readonly link: string;
  readonly icon?: string;
  readonly variant?: "primary" | "secondary" | "minimal";
}

interface FrontPage {
  /** What Starlight shows instead of the title. */
  readonly head: {
    readonly hero: { readonly tagline: string; readonly actions: readonly Action[] };
    readonly tableOfContents: false;
  };
  readonly body: string;
}

/** The first paragraph becomes the line below the title; two buttons lead on. */
export function frontPage({ body, description }: Page): FrontPage {
  const actions: readonly Action[] = [
    { text: "Choose your framework", link: "#choose-your-framework", icon: "right-arrow" },
    {
      text: "How it compares",
      link: addressOf("comparison"),
      variant: "minimal",
    },
    { text: "GitHub", link: repositoryAddress, icon: "external", variant: "minimal" },
  ];
  return {
    head: { hero: { tagline: description, actions }, tableOfContents: false },
    body: body.replace(/^\s*[\s\S]+?\n\n/, ""),
  };
}
