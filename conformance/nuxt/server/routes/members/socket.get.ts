export default defineWebSocketHandler({
  open(peer) {
    peer.send("Open");
    peer.close();
  },
});
