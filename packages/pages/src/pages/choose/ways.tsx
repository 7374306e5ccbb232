import type { SignInChoice } from "latchkey";

import { Message } from "../../components/message.tsx";

type SignInWay = SignInChoice["ways"][number];

/** More than these are folded. */
const openAtMost = 4;

/** A button for each way to sign in; only the suggested one is filled. */
export function Ways({ ways }: { ways: readonly SignInWay[] }) {
  const more = ways.slice(openAtMost);
  return (
    <>
      {ways.slice(0, openAtMost).map((way) => (
        <Way key={way.id} way={way} />
      ))}
      {more.length > 0 && (
        <details>
          <summary>
            <Message id="choose.more" />
          </summary>
          {more.map((way) => (
            <Way key={way.id} way={way} />
          ))}
        </details>
      )}
    </>
  );
}

const notes = { used: "choose.usedLast", down: "choose.down" } as const;

function Way({ way: { id, label, isSuggested, note } }: { way: SignInWay }) {
  const noteID = note === undefined ? undefined : `note-${id}`;
  return (
    <div className="way">
      <button
        className={isSuggested ? "button" : "button quiet"}
        name="connection"
        value={id}
        formNoValidate
        aria-describedby={noteID}
      >
        <Message id="choose.with" values={{ label }} />
      </button>
      {note !== undefined && (
        <p id={noteID} className="quiet">
          <Message id={notes[note]} />
        </p>
      )}
    </div>
  );
}
