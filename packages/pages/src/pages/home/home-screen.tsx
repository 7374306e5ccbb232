import { Message, useText } from "../../components/message.tsx";
import { DoorPicture } from "../../components/door/door-picture.tsx";
import { Shell } from "../../components/shell.tsx";
import { SharedComputer } from "../../components/shared-computer.tsx";
import { SignInHere } from "../../components/sign-in-here.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import type { MessageKey } from "../../messages/catalogue.ts";
import type { PublicPage } from "../../rendering/page.ts";

/** What a signed-out person should know first. */
export type HomeNotice = "cancelled" | "provider-down" | "store-down";

const noticeWords: Readonly<Record<HomeNotice, MessageKey>> = {
  cancelled: "home.cancelled",
  "provider-down": "home.down",
  "store-down": "home.unknown",
};

/** What leads on: to the one provider, or to the choice among several. */
const leads = {
  one: { plain: "home.body", asked: "home.bodyReturn", button: "home.button" },
  several: { plain: "choose.lead", asked: "choose.leadReturn", button: "action.signIn" },
} as const satisfies Record<string, Record<string, MessageKey>>;

export interface HomeProps {
  readonly notice?: HomeNotice | undefined;
  /** Whether the user has requested another page before. */
  readonly isAsked: boolean;
  /** Login route with the destination. */
  readonly signInURL: string;
}

/** The signed-out home: introduces the app and links to the sign-in. */
export function homePage(props: HomeProps): PublicPage {
  return {
    access: "public",
    title: { id: "home.title" },
    state: "signed-out",
    passing: ["notice"],
    content: <HomeScreen {...props} />,
  };
}

function HomeScreen({ notice, isAsked, signInURL }: HomeProps) {
  const say = useText();
  const { hasSeveralWays = false } = usePageFrame().site;
  const lead = hasSeveralWays ? leads.several : leads.one;
  const isUnknown = notice === "store-down";
  return (
    <Shell state="signed-out" menu={<SignInHere href={signInURL} />}>
      {notice !== undefined && (
        <p className={notice === "cancelled" ? "notice" : "notice warn"} role="status">
          <Message id={noticeWords[notice]} />
        </p>
      )}
      <DoorPicture openness="ajar" state="signed-out" />
      <h1>
        <Message id="home.title" />
      </h1>
      <p className="lead">
        <Message id={isAsked ? lead.asked : lead.plain} />
      </p>
      <div className="actions">
        {isUnknown && (
          // oxlint-disable-next-line jsx-a11y/anchor-is-valid -- the address of this page
          <a className="button" href="">
            {say("action.tryAgain")}
          </a>
        )}
        <a
          className={isUnknown ? "button quiet" : "button"}
          href={signInURL}
          data-leaves={hasSeveralWays ? "" : say("home.pending")}
          data-keep-hash=""
        >
          <Message id={lead.button} />
        </a>
      </div>
      <SharedComputer signInURL={signInURL} />
    </Shell>
  );
}
