import type { FormToSend } from "latchkey";

import { DoorPicture } from "../../components/door/door-picture.tsx";
import { HiddenFields } from "../../components/hidden-fields.tsx";
import { Message } from "../../components/message.tsx";
import { Shell } from "../../components/shell.tsx";
import type { PublicPage } from "../../rendering/page.ts";

/** After a step-up: the kept form, which the user sends or leaves. */
export function keptFormPage(form: FormToSend): PublicPage {
  return {
    access: "public",
    title: { id: "form.title" },
    state: "signed-in",
    content: <KeptFormScreen {...form} />,
  };
}

function KeptFormScreen({ action, fields, homeURL }: FormToSend) {
  return (
    <Shell state="signed-in">
      <DoorPicture openness="ajar" state="signed-in" />
      <h1>
        <Message id="form.title" />
      </h1>
      <p className="lead">
        <Message id="form.body" />
      </p>
      <form className="actions" method="post" action={action}>
        <HiddenFields fields={fields} />
        <button className="button">
          <Message id="form.send" />
        </button>
        <a className="button quiet" href={homeURL}>
          <Message id="form.leave" />
        </a>
      </form>
    </Shell>
  );
}
