export default { prerender: ["/about"] };
