import { z } from 'zod'

/** The newest format of archives that this program writes and reads. Increases when older programs cannot read an archive. */
export const formatVersion = 1

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().min(0)

/** Decides by itself whether an archive can be read, so fields of later formats are accepted here. */
export const formatSchema = z.looseObject({ format: z.literal('parley-backup'), version: z.int() })

/** The first entry of an archive. */
export const headerSchema = z.strictObject({
  format: z.literal('parley-backup'),
  version: z.literal(formatVersion),
  /** Version of the program that wrote the archive. */
  program: z.string(),
  created: z.iso.datetime(),
  organization: z.strictObject({ uuid: z.uuid(), name: z.string() }),
  /** The migrations that made the schema, in their order. */
  migrations: z.array(z.strictObject({ name: z.string(), checksum: sha256 })).min(1),
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()) })).min(1),
  /** The settings that were set in the environment of the command, without those that hold secrets. */
  settings: z.record(z.string(), z.string()),
  /** Names of the settings that were set and hold secrets. */
  secrets: z.array(z.string()),
})
export type Header = z.infer<typeof headerSchema>

/** The entry behind the tables. */
export const sequencesSchema = z.array(z.strictObject({ name: z.string(), last: z.int().nullable() }))
export type Sequences = z.infer<typeof sequencesSchema>

/** A line of an index, for a file of the entries before it. `size` null: the store of files does not have it. */
export const fileSchema = z.union([
  z.strictObject({ key: z.string(), size: count, sha256 }),
  z.strictObject({ key: z.string(), size: z.null() }),
])
export type FileLine = z.infer<typeof fileSchema>

const totals = { rows: count, bytes: count, sha256 }

/** The last entry: what the archive contains. Digests of tables are those of their rows in the text form of COPY. */
export const manifestSchema = z.strictObject({
  header: sha256,
  tables: z.record(z.string(), z.strictObject(totals)),
  sequences: sha256,
  /** `sha256` is the digest of all lines of the indexes. */
  files: z.strictObject({ count, bytes: count, missing: count, sha256 }),
})
export type Manifest = z.infer<typeof manifestSchema>

export const entryNames = {
  header: 'backup.json',
  sequences: 'database/sequences.json',
  manifest: 'manifest.json',
} as const

/** A part of the rows of a table; parts are numbered from 1. */
export const rowsName = (table: string, part: number): string => `database/${table}/${numbered(part)}.copy`
export const fileName = (key: string): string => `files/${key}`
export const indexName = (part: number): string => `index/${numbered(part)}.jsonl`

const numbered = (part: number): string => String(part).padStart(6, '0')
