import { DoorPicture } from "../../components/door/door-picture.tsx";
import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { RecentSignIn } from "../../components/recent-sign-in.tsx";
import { Shell } from "../../components/shell.tsx";
import type { PublicPage } from "../../rendering/page.ts";

export interface StepUpFacts {
  /** Login, with what the sign-in must prove. */
  readonly signInURL: string;
  /** How old a sign-in may be, in seconds, if only its time counts. */
  readonly maxAge?: number | undefined;
  /** Whether a posted form is kept meanwhile. */
  readonly hasForm: boolean;
}

/** Before a sign-in that proves more: why the user signs in again. */
export function stepUpPage(facts: StepUpFacts): PublicPage {
  return {
    access: "public",
    title: { id: "form.title" },
    state: "signed-in",
    content: <StepUpScreen {...facts} />,
  };
}

function StepUpScreen({ signInURL, maxAge, hasForm }: StepUpFacts) {
  const { site } = usePageFrame();
  return (
    <Shell state="signed-in">
      <DoorPicture openness="ajar" state="signed-in" />
      <h1>
        <Message id="form.title" />
      </h1>
      <p className="lead">
        {maxAge === undefined ? (
          <Message id="problem.forbidden.acr" />
        ) : (
          <RecentSignIn seconds={maxAge} />
        )}
      </p>
      {hasForm && (
        <p>
          <Message id="form.kept" />
        </p>
      )}
      <div className="actions">
        <a className="button" href={signInURL} data-leaves="">
          <Message id="action.signInAgain" />
        </a>
        <a className="button quiet" href={site.homeURL} data-back="">
          <Message id="action.back" />
        </a>
      </div>
    </Shell>
  );
}
