import { Icon, type IconName } from "./icon.tsx";
import { useKept } from "./kept.tsx";
import { Message, useText } from "./message.tsx";
import { type SiteLink, usePageFrame } from "./page-frame.tsx";

/** A page of the navigation for signed-in people. */
export type PageName = "account" | "devices" | "sample";

/** Our own pages, each at the path of its name. */
export const pages = [
  { name: "account", icon: "person" },
  { name: "devices", icon: "device" },
] as const satisfies readonly { readonly name: PageName; readonly icon: IconName }[];

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
      {site.links.map((link) => (
        <li key={link.href}>
          <a
            href={link.href}
            aria-current={current === "sample" && isSample(link) ? "page" : undefined}
          >
            <Icon name="page" />
            <LinkLabel link={link} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function isSample({ label }: SiteLink): boolean {
  return typeof label === "object" && label.message === "nav.sample";
}

/** The words of a link. */
function LinkLabel({ link: { label } }: { link: SiteLink }) {
  return typeof label === "string" ? label : <Message id={label.message} />;
}
