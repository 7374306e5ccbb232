import { Message } from "../../../components/message.tsx";
import { useAgo, useDeviceName } from "../device-words.ts";
import type { ListedDevice } from "../devices-view.ts";
import { useFormAddress } from "./list-place.ts";

/** Characters of the longest name. */
export const nameLimit = 60;

/**
 * A button for a small form, which works without scripts; a browser without popovers shows the
 * form.
 */
export function RenameDevice({ device }: { device: ListedDevice }) {
  const addressOf = useFormAddress();
  const { id, given = "" } = device;
  const [place, field] = [`rename-${id}`, `name-${id}`];
  const [label, hint] = [`label-${id}`, `hint-${id}`];
  const name = useDeviceName()(device);
  const ago = useAgo()(device.lastUsedAt);
  const title = `title-${id}`;
  return (
    <>
      <button type="button" className="button quiet open-rename" popoverTarget={place}>
        <Message id="devices.rename" />
        <span className="unseen">
          <Message id="devices.renameOf" values={{ device: name, ago }} />
        </span>
      </button>
      <div id={place} className="rename" popover="auto" role="dialog" aria-labelledby={title}>
        <form method="post" action={addressOf(`${id}/name`)}>
          <h4 id={title}>
            <Message id="devices.renameTitle" values={{ device: name }} />
          </h4>
          <label id={label} htmlFor={field}>
            <Message id="devices.nameLabel" />
          </label>
          <input
            id={field}
            name="name"
            defaultValue={given}
            maxLength={nameLimit}
            dir="auto"
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focus in an open popover
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
            >
              <Message id="action.cancel" />
            </button>
          </div>
        </form>
      </div>
    </>
  );
}
