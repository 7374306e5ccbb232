/** Fields of a form that users do not see, in their order. */
export function HiddenFields({
  fields,
}: {
  readonly fields: readonly (readonly [name: string, value: string])[];
}) {
  return fields.map(([name, value], place) => (
    // oxlint-disable-next-line react/no-array-index-key -- a name may come more than once
    <input key={place} type="hidden" name={name} value={value} />
  ));
}
