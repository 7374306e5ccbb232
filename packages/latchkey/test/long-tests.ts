/** Whether tests may take long. `npm run ci` says so: then they try ten times as many cases. */
export const longTests: boolean = process.env["LONG_TESTS"] === "1";
