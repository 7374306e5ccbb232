import { useId, useLayoutEffect, useRef, type ReactNode, type SyntheticEvent } from "react";

export interface ModalProps {
  readonly title: string;
  /** Id of the element describing the dialog. */
  readonly describedBy: string;
  /** Called on Escape. The dialog stays open in any case. */
  readonly onEscape?: (() => void) | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * A native modal dialog, open as long as it is rendered. The element with `data-lk-first` receives
 * the focus, which returns afterwards.
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
    // If the dialog is higher than the window, it opens at its title.
    element?.querySelector<HTMLElement>("[data-lk-first]")?.focus({ preventScroll: true });
    element?.scrollTo?.(0, 0);
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const onCancel = (event: SyntheticEvent): void => {
    event.preventDefault();
    onEscape?.();
  };
  // Browsers close a dialog regardless of `cancel` when Escape is pressed twice.
  const onClose = ({ currentTarget }: SyntheticEvent<HTMLDialogElement>): void => {
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
      onCancel={onCancel}
      onClose={onClose}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
