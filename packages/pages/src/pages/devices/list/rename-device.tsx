import { Message } from "../../../components/message.tsx";
import { useAgo, useDeviceName } from "../../../components/device-words.ts";
import type { ListedDevice } from "../devices-view.ts";
import { useFormAddress } from "./list-place.ts";
import { useSpokenName } from "./spoken-name.ts";

/** Characters of the longest name. */
export const nameLimit = 60;

/**
 * A button for a small form, which works without scripts: a dialog; in a browser without commands
 * of buttons a popover; in one without popovers the form is on the page.
 */
export function RenameDevice({ device }: { device: ListedDevice }) {
  const { id } = device;
  const [place, title] = [`rename-${id}`, `title-${id}`];
  const name = useDeviceName()(device);
  const spoken = useSpokenName()(device);
  const ago = useAgo()(device.lastUsedAt);
  return (
    <>
      <button
        type="button"
        className="button quiet open-rename"
        popoverTarget={place}
        {...{ command: "show-modal", commandfor: place }}
      >
        <Message id="devices.rename" />
        <span className="unseen">
          <Message id="devices.renameOf" values={{ device: spoken, ago }} />
        </span>
      </button>
      <dialog id={place} className="rename" popover="auto" aria-labelledby={title}>
        <h3 id={title}>
          <Message id="devices.renameTitle" values={{ device: name }} />
        </h3>
        <NameForm device={device} place={place} />
      </dialog>
    </>
  );
}

/** @param props.place - the id of the dialog around */
function NameForm({ device, place }: { device: ListedDevice; place: string }) {
  const addressOf = useFormAddress();
  const { id, given = "" } = device;
  const [field, hint] = [`name-${id}`, `hint-${id}`];
  return (
    <form method="post" action={addressOf(`${id}/name`)}>
      <label htmlFor={field}>
        <Message id="devices.nameLabel" />
      </label>
      <input
        id={field}
        name="name"
        defaultValue={given}
        maxLength={nameLimit}
        dir="auto"
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focus in an open dialog
        autoFocus
        aria-describedby={hint}
      />
      <p id={hint} className="quiet">
        <Message id="devices.nameHint" />
      </p>
      <div className="actions">
        <button type="submit" className="button">
          <Message id="action.save" />
        </button>
        <button
          type="button"
          className="button quiet"
          popoverTarget={place}
          popoverTargetAction="hide"
          {...{ command: "close", commandfor: place }}
        >
          <Message id="action.cancel" />
        </button>
      </div>
    </form>
  );
}
