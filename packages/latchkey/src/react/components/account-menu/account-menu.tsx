import type { ReactNode } from "react";
import type { Claims } from "../../client/claims.ts";
import { textClaim } from "../../client/text-claim.ts";
import type { Org } from "../../client/session-state.ts";
import { useOnline } from "../../hooks/use-browser.ts";
import { useSessionState } from "../../hooks/use-session.ts";
import { useWarning } from "../../hooks/use-warning.ts";
import { useWords } from "../../hooks/use-words.ts";
import { SignInLink } from "../sign-in-link.tsx";
import { LogoutForm } from "../sign-out-button.tsx";
import { withClass } from "../with-class.ts";
import { Avatar, type AvatarProps } from "./avatar.tsx";
import { Disclosure } from "./disclosure.tsx";
import { displayName } from "./initials.ts";

export interface AccountMenuProps extends Pick<AvatarProps, "picture"> {
  /** Address of the account page, if there is one: `/_auth/account` with `@latchkey/pages`. */
  readonly accountHref?: string | false | undefined;
  /** Address of the list of devices, if there is one: `/_auth/devices` with `@latchkey/pages`. */
  readonly devicesHref?: string | undefined;
  /** Added to the class names of the menu, and of what stands in its place. */
  readonly className?: string | undefined;
  /** Further entries, each an `<li>`. */
  readonly children?: ReactNode;
}

/**
 * Shows the signed-in user as a circle of 32 pixels. It opens a menu with name, links and "Sign
 * out". If no user is signed in, shows a link to sign in. Works without scripts.
 */
export function AccountMenu(props: AccountMenuProps): ReactNode {
  const session = useSessionState<Claims>("AccountMenu");
  const { client, text } = useWords();
  const { className } = props;
  if (session.status === "signed-in") return <SignedInMenu {...props} {...session} />;
  if (session.status === "signed-out")
    return (
      <SignInLink className={className}>
        {text(session.ended ? "signInAgain" : "signIn")}
      </SignInLink>
    );
  if (!session.error)
    return (
      <span className={withClass("lk-menu lk-avatar lk-waiting", className)} aria-hidden="true" />
    );
  return (
    <button
      type="button"
      className={withClass("lk-button", className)}
      aria-label={`${text("loadError")} ${text("tryAgain")}`}
      onClick={() => void client.refetch()}
    >
      {text("tryAgain")}
    </button>
  );
}

interface SignedInMenuProps extends AccountMenuProps {
  readonly user: Claims;
  readonly org?: Org;
  /** Of the connection, if there are several. */
  readonly label?: string | undefined;
}

function SignedInMenu(props: SignedInMenuProps): ReactNode {
  const {
    user,
    org,
    label: way,
    accountHref,
    devicesHref,
    picture = false,
    className,
    children,
  } = props;
  const { text } = useWords();
  const online = useOnline();
  const { warning } = useWarning();
  const name = displayName(user);
  const email = textClaim(user.email);
  // Among several, the id of an organization is no name of it.
  const place = [org?.name ?? (way ? "" : org?.id), way].filter(Boolean).join(" · ");
  const note = !online ? text("offline") : warning ? text("endingSoon") : "";
  const label = [text("accountMenu", { name }), note].filter(Boolean).join(", ");
  const dot = note && <span className={online ? "lk-dot" : "lk-dot lk-off"} aria-hidden="true" />;
  return (
    <Disclosure
      label={label}
      className={className}
      button={
        <>
          <Avatar user={user} picture={picture} />
          {dot}
        </>
      }
    >
      <p className="lk-who">
        <strong>{name}</strong> {email && email !== name && <span>{email}</span>}{" "}
        {place && <span>{place}</span>}
      </p>
      {note && (
        <p className="lk-state">
          {dot}
          {note}
        </p>
      )}
      <ul className="lk-list">
        {accountHref && <MenuLink href={accountHref}>{text("account")}</MenuLink>}
        {devicesHref && <MenuLink href={devicesHref}>{text("devices")}</MenuLink>}
        {children}
        <li>
          <LogoutForm look="lk-item" />
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
