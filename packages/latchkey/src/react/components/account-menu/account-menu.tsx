import type { ReactNode } from "react";
import { Avatar, nameOf } from "./avatar.tsx";
import { Disclosure } from "./disclosure.tsx";
import type { Claims, Org } from "../../client/session-state.ts";
import { SignInLink } from "../sign-in-link.tsx";
import { SignOutButton } from "../sign-out-button.tsx";
import { useOnline } from "../../hooks/use-browser.ts";
import { useSignInAs } from "../../hooks/use-sign-in.ts";
import { useWarning } from "../../hooks/use-warning.ts";
import { useWords } from "../../hooks/use-words.ts";

export interface AccountMenuProps {
  /** Address of the account page, where there is one. */
  readonly accountHref?: string | undefined;
  /** Address of the list of signed-in devices, where there is one. */
  readonly devicesHref?: string | undefined;
  /** Shows the picture of the person; your content security policy must allow it. Default: initials. */
  readonly picture?: boolean | undefined;
  /** Further links of yours, each an `<li>`. */
  readonly children?: ReactNode;
}

/** The corner of the page that says who is here. In every state it keeps the height of its 32-pixel circle. */
export function AccountMenu(props: AccountMenuProps): ReactNode {
  const me = useSignInAs<Claims>("AccountMenu");
  const { text } = useWords();
  if (me.status === "loading")
    return <span className="lk-menu lk-avatar lk-waiting" aria-hidden="true" />;
  if (me.status === "signed-in") return <OpenMenu {...props} user={me.user} org={me.org} />;
  if (me.status !== "error")
    return <SignInLink>{text(me.status === "ended" ? "signInAgain" : "signIn")}</SignInLink>;
  return (
    <button type="button" className="lk-button" onClick={me.retry}>
      <span className="lk-hidden">{text("unknown")} </span>
      {text("tryAgain")}
    </button>
  );
}

interface OpenMenuProps extends AccountMenuProps {
  readonly user: Claims;
  readonly org: Org | undefined;
}

function OpenMenu(props: OpenMenuProps): ReactNode {
  const { user, org, accountHref, devicesHref, picture = false, children } = props;
  const { text } = useWords();
  const online = useOnline();
  const { warning } = useWarning();
  const name = nameOf(user);
  const note = !online ? text("offline") : warning ? text("endingSoon") : "";
  const label = [text("menu", { name }), note].filter(Boolean).join(", ");
  const sign = note && <span className={online ? "lk-dot" : "lk-dot lk-off"} aria-hidden="true" />;
  return (
    <Disclosure
      label={label}
      button={
        <>
          <Avatar user={user} picture={picture} />
          {sign}
        </>
      }
    >
      <p className="lk-who">
        <strong>{name}</strong>
        {user.email && user.email !== name && <span>{user.email}</span>}
        {org && <span>{org.name ?? org.id}</span>}
      </p>
      {note && (
        <p className="lk-state">
          {sign}
          {note}
        </p>
      )}
      <ul className="lk-list">
        {accountHref && <MenuLink href={accountHref}>{text("account")}</MenuLink>}
        {devicesHref && <MenuLink href={devicesHref}>{text("devices")}</MenuLink>}
        {children}
        <li>
          <SignOutButton className="lk-item" />
        </li>
      </ul>
    </Disclosure>
  );
}

function MenuLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <li>
      <a className="lk-item" href={href}>
        {children}
      </a>
    </li>
  );
}
