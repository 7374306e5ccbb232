import type { Session, SessionTimes } from "latchkey";

import { DoorPicture } from "../../components/door/door-picture.tsx";
import { useKept } from "../../components/kept.tsx";
import { Message } from "../../components/message.tsx";
import { OnSharedComputer } from "../../components/on-shared-computer.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import { Icon } from "../../components/icon.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { pages } from "../../components/pages-nav.tsx";
import type { PageTitle, SignedInPage } from "../../rendering/page.ts";
import { personName, shortName } from "../../components/person-name.ts";

/** The home of a signed-in person: a greeting, and links. */
export function welcomePage(session: Session): SignedInPage {
  const name = personName(session);
  const greeting: PageTitle =
    name === session.user.sub
      ? { id: "home.in.titleNameless" }
      : { id: "home.in.title", values: { name: shortName(name) } };
  return {
    access: "signed-in",
    sheet: "home",
    session,
    title: greeting,
    content: <WelcomeScreen greeting={greeting} times={session.times} />,
  };
}

interface WelcomeProps {
  readonly greeting: PageTitle;
  readonly times: SessionTimes;
}

function WelcomeScreen({ greeting, times }: WelcomeProps) {
  const waysHTML = useKept("ways", () => <Ways />);
  return (
    <SignedInShell layout="column">
      <DoorPicture openness="open" state="signed-in" />
      <h1>
        <Message id={greeting.id} values={greeting.values} />
      </h1>
      <p className="lead">
        <Message id="home.in.body" />
      </p>
      <OnSharedComputer times={times} />
      <ul className="ways" dangerouslySetInnerHTML={waysHTML} />
    </SignedInShell>
  );
}

/** The sample page of the web application. */
const sampleWay = { name: "sample", icon: "page" } as const;

function Ways() {
  const { site } = usePageFrame();
  const ways = [...pages, ...(site.links.length === 0 ? [] : [sampleWay])];
  return ways.map(({ name, icon }) => (
    <li key={name}>
      <a href={`${site.root}/${name}`}>
        <Icon name={icon} size={20} />
        <span>
          <strong>
            <Message id={`nav.${name}`} />
          </strong>
          <span className="quiet">
            <Message id={`home.in.${name}`} />
          </span>
        </span>
        <Icon name="arrow" />
      </a>
    </li>
  ));
}
