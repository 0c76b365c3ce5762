import type { ISql } from '../driver/db.js'

/** Bytes of files, as their rows say. */
export interface FileSizes {
  /** Of all files that were uploaded. */
  readonly upload: number
  /** Of the parts of unfinished uploads. */
  readonly part: number
}

export async function readFileSizes(sql: ISql): Promise<FileSizes> {
  const [row] = await sql<[FileSizes]>`
    select coalesce((select bytes from upload_space), 0)::bigint as upload,
      coalesce((select sum(size) from resumable_parts), 0)::bigint as part`
  return row
}
