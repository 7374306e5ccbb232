import { Icon, type IconName } from "./icon.tsx";
import { useKept } from "./kept.tsx";
import { Message, useText } from "./message.tsx";
import { usePageFrame } from "./page-frame.tsx";

/** A page of the navigation for signed-in people. */
export type PageName = "account" | "devices" | "sample";

/** All of them, each at the path of its name. */
export const pages: readonly { readonly name: PageName; readonly icon: IconName }[] = [
  { name: "account", icon: "person" },
  { name: "devices", icon: "device" },
  { name: "sample", icon: "page" },
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
      {pages.map(({ name, icon }) => (
        <li key={name}>
          <a href={`${site.root}/${name}`} aria-current={name === current ? "page" : undefined}>
            <Icon name={icon} />
            <Message id={`nav.${name}`} />
          </a>
        </li>
      ))}
    </ul>
  );
}
