/** A plain form. Its sender must have signed in with a second factor. */
export default function TransferPage() {
  return (
    <form method="post" action="/public/transfer/send">
      <input name="amount" defaultValue="5" />
      <button>Transfer</button>
    </form>
  );
}
