export default function CatchAll() {
  return <h1>Any other page</h1>;
}
