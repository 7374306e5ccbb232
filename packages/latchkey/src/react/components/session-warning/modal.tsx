import { useId, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from "react";

export interface ModalProps {
  readonly title: string;
  /** Id of the element that says what this is about. */
  readonly describedBy: string;
  /** What Escape means; without it Escape means nothing, and the dialog stays. */
  readonly onEscape?: (() => void) | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * A native modal dialog that is open for as long as it is rendered. The element marked `data-lk-first` has the focus;
 * afterwards it goes back to where it was.
 */
export function Modal({
  title,
  describedBy,
  onEscape,
  className = "",
  children,
}: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const [element, before] = [dialog.current, document.activeElement];
    element?.showModal();
    element?.querySelector<HTMLElement>("[data-lk-first]")?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const cancelled = (event: SyntheticEvent): void => {
    event.preventDefault();
    onEscape?.();
  };
  // A browser may close a dialog whatever the page says, when Escape is pressed twice.
  const closed = ({ currentTarget }: SyntheticEvent<HTMLDialogElement>): void => {
    if (currentTarget.open) return;
    currentTarget.showModal();
    onEscape?.();
  };
  return (
    <dialog
      ref={dialog}
      className={`lk-dialog ${className}`.trim()}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onCancel={cancelled}
      onClose={closed}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
