/** The entry of a record; creates a missing one. */
export function entry<Value>(record: Record<string | number, Value>, key: string | number, make: () => Value): Value {
  if (record[key] === undefined) record[key] = make()
  return record[key] as Value
}
