import { useDeviceName } from "./device-words.ts";
import { Message } from "./message.tsx";
import { Moment } from "./moment.tsx";
import { type NewSignIn, usePageFrame } from "./page-frame.tsx";

/** The line below the strip: a new sign-in, and whether it was the user. */
export function NewSignInQuestion({ newSignIn }: { newSignIn: NewSignIn }) {
  const { id, at, device, more, from } = newSignIn;
  const { site } = usePageFrame();
  const name = useDeviceName()(device);
  const address = `${site.root}/devices/${id}`;
  return (
    <aside className="strip new-sign-in" aria-labelledby="new-sign-in">
      <p>
        <span id="new-sign-in">
          <Message
            id="newSignIn.question"
            values={{ device: name }}
            tags={{ start: () => <Moment at={at} /> }}
          />
        </span>{" "}
        {more > 0 && (
          <a className="way" href={`${site.root}/devices`}>
            <Message id="newSignIn.more" values={{ count: more }} />
          </a>
        )}
      </p>
      <div className="answers">
        <form method="post" action={`${address}/known?from=${encodeURIComponent(from)}`}>
          <AnswerButton answer="yes" />
        </form>
        <form method="post" action={`${address}/unknown`}>
          <AnswerButton answer="no" />
        </form>
      </div>
    </aside>
  );
}

/** A screen reader reads the question with each answer. */
function AnswerButton({ answer }: { answer: "yes" | "no" }) {
  return (
    <button type="submit" className="button quiet" aria-describedby="new-sign-in">
      <Message id={`newSignIn.${answer}`} />
    </button>
  );
}
