import { usePageFrame } from "../../components/page-frame.tsx";
import { useKept } from "../../components/kept.tsx";
import { Message } from "../../components/message.tsx";
import { ProviderLink } from "../../components/provider-link.tsx";

function Source() {
  const { providerURL } = usePageFrame().site;
  if (providerURL === undefined) return <Message id="account.fromOnly" />;
  return (
    <Message id="account.from" tags={{ to: (content) => <ProviderLink>{content}</ProviderLink> }} />
  );
}

/** The source of these words, and the place to change them. */
export function FromProvider() {
  const sentence = useKept("from-provider", () => <Source />);
  return <p className="quiet" dangerouslySetInnerHTML={sentence} />;
}
