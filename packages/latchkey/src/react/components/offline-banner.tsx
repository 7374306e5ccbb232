import { useEffect, useRef, type ReactNode } from "react";
import { useOnline } from "../hooks/use-browser.ts";
import { useWords } from "../hooks/use-words.ts";
import { Toast, useToast } from "./toast.tsx";

/**
 * Reports when the device is offline, and when the server has responded again. Place it once,
 * anywhere below the provider.
 */
export function OfflineBanner(): ReactNode {
  const { client, text } = useWords("OfflineBanner");
  const online = useOnline();
  const wasOffline = useRef(false);
  const { message, showMessage } = useToast(client.clock);
  useEffect(() => {
    const confirm = async (): Promise<void> => {
      if (await client.refetch()) showMessage(text("backOnline"));
    };
    if (online && wasOffline.current) void confirm();
    wasOffline.current = !online;
    // oxlint-disable-next-line react/exhaustive-deps -- only if the network changes
  }, [online]);
  return <Toast>{online ? message : text("offlineBanner")}</Toast>;
}
