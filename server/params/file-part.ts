/** A file in a multipart form, in memory. */
export class FilePart {
  constructor(
    /** As the client gave it; not safe as a path. */
    readonly name: string,
    /** Content type as the client gave it; empty: none. */
    readonly type: string,
    readonly bytes: Buffer,
  ) {}
}

/** Removes the files from the parameters and returns them. */
export function takeFiles(source: Map<string, unknown>): FilePart[] {
  const files: FilePart[] = []
  for (const [name, value] of source) {
    if (!(value instanceof FilePart)) continue
    files.push(value)
    source.delete(name)
  }
  return files
}
