import type { RealmExport, UserExport } from '../../shared/resources/realm-export.js'
import type { ExportRow, RealmExportRow } from '../store/exports/exports.js'

/** Above the archives. A caller who knows the rest of an address may read the archive. */
export const exportRoot = '/user_avatars/exports/'

/** The name of the archive, and of its one directory with another extension. */
export const exportName = ({ id, requested }: Pick<ExportRow, 'id' | 'requested'>): string =>
  `export-${requested.toISOString().slice(0, 10)}-${id}`

/** Path of an archive. */
const exportPath = (row: Pick<ExportRow, 'id' | 'requested' | 'token'>): string =>
  `${exportRoot}${row.token}/${exportName(row)}.tar.gz`

/** An export of the organization on the wire. */
export const exportObject = (row: RealmExportRow, publicUrl: string): RealmExport => ({
  ...stateOf(row, publicUrl),
  export_from_prior_server: false,
  export_type: row.kind,
})

// I2: only who requested the archive of a person learns its address: the person, too, sees that an administrator has requested another one.
/** An export of one person on the wire, for a reader. */
export function userExportObject(row: ExportRow, publicUrl: string, readerId: number): UserExport {
  const object = stateOf(row, publicUrl)
  return row.requester_id === readerId ? object : { ...object, export_url: null }
}

const stateOf = (row: ExportRow, publicUrl: string): UserExport => ({
  id: row.id,
  export_time: seconds(row.requested),
  acting_user_id: row.requester_id,
  export_url: row.state === 'ready' ? publicUrl + exportPath(row) : null,
  deleted_timestamp: row.state === 'deleted' && row.ended ? seconds(row.ended) : null,
  failed_timestamp: row.state === 'failed' && row.ended ? seconds(row.ended) : null,
  pending: row.state === 'pending',
})

/** How much of each pending export is written. */
export const progressOf = (rows: readonly ExportRow[]): { id: number; percent: number }[] =>
  rows.flatMap(({ id, state, percent }) => (state === 'pending' ? [{ id, percent }] : []))

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000)
