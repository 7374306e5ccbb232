export function loader() {
  throw new Error("broken");
}
