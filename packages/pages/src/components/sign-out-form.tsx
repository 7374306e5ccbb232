import { useKept } from "./kept.tsx";
import { Message } from "./message.tsx";
import { usePageFrame } from "./page-frame.tsx";

/**
 * A form that signs out here and at the provider. It needs no script, and no prefetch can submit
 * it.
 */
export function SignOutForm({ look, action }: { look: string; action?: string | undefined }) {
  const { site } = usePageFrame();
  const button = useKept(`sign-out ${look}`, () => (
    <button type="submit" className={look}>
      <Message id="action.signOut" />
    </button>
  ));
  return <form method="post" action={action ?? site.logoutURL} dangerouslySetInnerHTML={button} />;
}
