export const GET = () => fetch(`${process.env["UPSTREAM"]}/`);
