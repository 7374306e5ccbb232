export default defineEventHandler(() => {
  throw new Error("broken");
});
