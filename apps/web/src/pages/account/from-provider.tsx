import { useKept } from "../../components/kept.tsx";
import { Message } from "../../components/message.tsx";
import { ProviderLink } from "../../components/provider-link.tsx";

/** Whose words these are, and where they can be changed. */
export function FromProvider() {
  const sentence = useKept("from-provider", () => (
    <Message id="account.from" tags={{ to: (content) => <ProviderLink>{content}</ProviderLink> }} />
  ));
  return <p className="quiet" dangerouslySetInnerHTML={sentence} />;
}
