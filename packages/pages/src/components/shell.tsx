import type { ReactNode } from "react";

import { DoorMark, type DoorState } from "./door/door-mark.tsx";
import { useKept } from "./kept.tsx";
import { Message, useText } from "./message.tsx";
import { type Site, usePageFrame } from "./page-frame.tsx";

interface ShellProps {
  readonly state: DoorState;
  /** At the end of the header: a sign-in link or the account menu. */
  readonly menu?: ReactNode;
  /** Below the header: who is signed in. */
  readonly strip?: ReactNode;
  /** Links between the pages of a signed-in person. */
  readonly nav?: ReactNode;
  /** `column`: one narrow column set low on the page; `wide`: navigation and content. */
  readonly layout?: "column" | "wide";
  readonly children: ReactNode;
}

/** Header, content and footer of every page. */
export function Shell({ state, menu, strip, nav, layout = "column", children }: ShellProps) {
  const { site } = usePageFrame();
  const say = useText();
  const brand = useKept(`brand ${state}`, () => (
    <>
      {site.logo !== undefined && <Logo logo={site.logo} />}
      <DoorMark state={state} />
      <span className={site.showName === false ? "spare-name" : undefined}>{site.app}</span>
    </>
  ));
  return (
    <div className={`page ${layout}`}>
      <a className="skip" href="#main">
        {say("shell.skip")}
      </a>
      <header className="head">
        <a
          className="brand"
          href={site.homeURL}
          aria-label={say("shell.home")}
          dangerouslySetInnerHTML={brand}
        />
        {menu}
      </header>
      {strip}
      <div className="body">
        {nav}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Footer />
    </div>
  );
}

/** One picture, or one for each scheme: the device chooses, unless the app has. */
function Logo({ logo }: { logo: NonNullable<Site["logo"]> }) {
  const { site } = usePageFrame();
  const [light, dark] = typeof logo === "string" ? [logo, logo] : logo;
  const isDark = site.scheme === "dark";
  return (
    <picture>
      {light !== dark && (site.scheme ?? "auto") === "auto" && (
        <source srcSet={dark} media="(prefers-color-scheme: dark)" />
      )}
      <img className="logo" src={isDark ? dark : light} alt="" />
    </picture>
  );
}

function Footer() {
  const content = useKept("footer", () => <FooterContent />);
  return <footer className="foot" dangerouslySetInnerHTML={content} />;
}

function FooterContent() {
  const { site } = usePageFrame();
  return (
    <>
      {site.hasSeveralWays !== true && (
        <p>
          <Message id="shell.footer.provider" />
        </p>
      )}
      {site.support?.url !== undefined && (
        <p>
          <a href={site.support.url}>
            <Message id="shell.footer.support" values={{ support: site.support.name }} />
          </a>
        </p>
      )}
    </>
  );
}
