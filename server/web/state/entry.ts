/** The entry of a record, made when it is missing. */
export function entry<Value>(record: Record<string | number, Value>, key: string | number, make: () => Value): Value {
  if (record[key] === undefined) record[key] = make()
  return record[key] as Value
}
