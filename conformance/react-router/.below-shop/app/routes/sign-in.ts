/** No component: so React Router lets the provider post to it. */
export const loader = () => null;
export const action = () => null;
