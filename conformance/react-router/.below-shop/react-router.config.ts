export default { basename: "/shop/", prerender: ["/about"] };
