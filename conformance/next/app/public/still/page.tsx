/** The same for everybody, but for the layout above it. */
export default function StillPage() {
  return <h1>Still</h1>;
}
