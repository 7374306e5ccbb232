export const loader = () => fetch(`${process.env["UPSTREAM"]}/`);
