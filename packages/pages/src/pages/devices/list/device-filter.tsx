import { Message } from "../../../components/message.tsx";
import { usePageFrame } from "../../../components/page-frame.tsx";

interface DeviceFilterProps {
  /** The filter of the list; empty for the whole list. */
  readonly filter: string;
  /** Whether nothing was found. */
  readonly isEmpty: boolean;
}

/**
 * Narrows a long list to the devices whose name holds some words. A plain form: it needs no script.
 */
export function DeviceFilter({ filter, isEmpty }: DeviceFilterProps) {
  const { site } = usePageFrame();
  const list = `${site.root}/devices`;
  return (
    <search>
      <form className="find" method="get" action={list}>
        <label htmlFor="find">
          <Message id="devices.find" />
        </label>
        <input id="find" name="find" type="search" defaultValue={filter} maxLength={100} />
        <button type="submit" className="button quiet">
          <Message id="devices.findDo" />
        </button>
      </form>
      {filter !== "" && (
        <p className="quiet" role="status">
          {isEmpty && (
            <>
              <Message id="devices.findNone" values={{ text: filter }} />{" "}
            </>
          )}
          <a href={list}>
            <Message id="devices.findAll" />
          </a>
        </p>
      )}
    </search>
  );
}
