import { Message } from "./message.tsx";
import { usePageFrame } from "./page-frame.tsx";

/** Signs out here and at the provider. */
export function SignOutLink() {
  const { site } = usePageFrame();
  return (
    <a className="button quiet" href={site.logoutURL}>
      <Message id="action.signOut" />
    </a>
  );
}
