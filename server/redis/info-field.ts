/** A field of the answer to INFO; undefined: this Redis does not tell it. */
export function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1]
}
