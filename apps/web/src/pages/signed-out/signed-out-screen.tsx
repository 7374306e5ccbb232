import { DoorPicture } from "../../components/door-picture.tsx";
import { Message } from "../../components/message.tsx";
import { Shell } from "../../components/shell.tsx";
import { SignInHere } from "../../components/sign-in-here.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import type { MessageKey } from "../../messages/languages.ts";
import type { PublicPage } from "../../rendering/page.ts";

/** What became of the sign-in at the provider. */
export type ProviderEnd = "ended" | "still" | "unconfirmed" | "unknown";

export interface SignedOutProps {
  readonly provider: ProviderEnd;
  readonly signInURL: string;
}

const bodies: Readonly<Record<ProviderEnd, MessageKey>> = {
  ended: "out.both",
  still: "out.body",
  unconfirmed: "out.providerFailed",
  unknown: "out.body",
};

/** After signing out: what is closed, and what is still open. */
export function signedOutPage(props: SignedOutProps): PublicPage {
  return {
    access: "public",
    title: { id: "out.title" },
    state: "signed-out",
    content: <SignedOutScreen {...props} />,
  };
}

function SignedOutScreen({ provider, signInURL }: SignedOutProps) {
  const { site } = usePageFrame();
  return (
    <Shell state="signed-out" menu={<SignInHere href={signInURL} />}>
      <DoorPicture openness="closed" state="signed-out" />
      <h1>
        <Message id="out.title" />
      </h1>
      <p className="lead">
        <Message id={bodies[provider]} />
      </p>
      {provider === "still" && (
        <p>
          <Message id="out.provider" />{" "}
          {site.providerURL !== undefined && (
            <a href={site.providerURL}>
              <Message id="out.providerLink" />
            </a>
          )}
        </p>
      )}
      <div className="actions">
        <a className="button" href={signInURL} data-leaves="" data-keep-hash="">
          <Message id="out.again" />
        </a>
      </div>
    </Shell>
  );
}
