/** A style sheet: its import has an effect, and no value. */
declare const value: undefined;
export default value;
