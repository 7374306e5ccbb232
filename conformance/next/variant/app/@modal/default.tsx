/** No dialog is open. */
export default function NoDialog() {
  return null;
}
