export const GET = () => {
  throw new Error("broken");
};
