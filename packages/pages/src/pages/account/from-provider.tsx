import { useKept } from "../../components/kept.tsx";
import { Message } from "../../components/message.tsx";
import { ProviderLink } from "../../components/provider-link.tsx";

/** The source of these words, and the place to change them. */
export function FromProvider() {
  const sentence = useKept("from-provider", () => (
    <Message id="account.from" tags={{ to: (content) => <ProviderLink>{content}</ProviderLink> }} />
  ));
  return <p className="quiet" dangerouslySetInnerHTML={sentence} />;
}
