import { Message } from "./message.tsx";
import { usePageFrame } from "./page-frame.tsx";

/** A form that signs out here and at the provider. It needs no script, and no prefetch can submit it. */
export function SignOutForm({ look, action }: { look: string; action?: string | undefined }) {
  const { site } = usePageFrame();
  return (
    <form method="post" action={action ?? site.logoutURL}>
      <button type="submit" className={look}>
        <Message id="action.signOut" />
      </button>
    </form>
  );
}
