import { Message } from "./message.tsx";
import { usePageFrame } from "./page-frame.tsx";

/** The way in, in the header of pages for people who are signed out. */
export function SignInHere({ href }: { href?: string }) {
  const { site } = usePageFrame();
  return (
    <a className="way-in" href={href ?? site.loginURL} data-leaves="" data-keep-hash="">
      <Message id="action.signIn" />
    </a>
  );
}
