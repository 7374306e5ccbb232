import { Icon, type IconName } from "./icon.tsx";
import { useKept } from "./kept.tsx";
import { Message, useText } from "./message.tsx";
import { usePageFrame } from "./page-frame.tsx";
import type { MessageKey } from "../messages/languages.ts";

/** A page that a signed-in person can go to. */
export type PageName = "account" | "devices" | "sample";

const pages: readonly { name: PageName; href: string; label: MessageKey; icon: IconName }[] = [
  { name: "account", href: "/account", label: "nav.account", icon: "person" },
  { name: "devices", href: "/devices", label: "nav.devices", icon: "device" },
  { name: "sample", href: "/sample", label: "nav.sample", icon: "page" },
];

/** The way between the pages of a signed-in person. */
export function PagesNav({ current }: { current?: PageName | undefined }) {
  const say = useText();
  const list = useKept(`pages ${current}`, () => <PageList current={current} />);
  return <nav className="pages" aria-label={say("shell.nav")} dangerouslySetInnerHTML={list} />;
}

function PageList({ current }: { current: PageName | undefined }) {
  const { site } = usePageFrame();
  return (
    <ul>
      {pages.map(({ name, href, label, icon }) => (
        <li key={name}>
          <a href={site.root + href} aria-current={name === current ? "page" : undefined}>
            <Icon name={icon} />
            <Message id={label} />
          </a>
        </li>
      ))}
    </ul>
  );
}
