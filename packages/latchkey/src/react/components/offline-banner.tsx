import { useEffect, useRef, type ReactNode } from "react";
import { Toast, useToast } from "./toast.tsx";
import { useOnline } from "../hooks/use-browser.ts";
import { useWords } from "../hooks/use-words.ts";

/** Says when the device is offline, and that it is back once the server has been heard again. */
export function OfflineBanner(): ReactNode {
  const { client, text } = useWords("OfflineBanner");
  const online = useOnline();
  const wasOffline = useRef(false);
  const { said, say } = useToast(client.clock);
  useEffect(() => {
    const welcome = async (): Promise<void> => {
      if (await client.look()) say(text("offlineBack"));
    };
    if (online && wasOffline.current) void welcome();
    wasOffline.current = !online;
    // oxlint-disable-next-line react/exhaustive-deps -- when the network comes or goes, whatever else changes
  }, [online]);
  return <Toast>{online ? said : text("offlineNow")}</Toast>;
}
