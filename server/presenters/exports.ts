import type { RealmExport } from '../../shared/resources/realm-export.js'
import type { ExportRow } from '../store/exports/exports.js'

/** Above the archives. A caller who knows the rest of an address may read the archive. */
export const exportRoot = '/user_avatars/exports/'

/** The name of the archive, and of its one directory with another extension. */
export const exportName = ({ id, requested }: Pick<ExportRow, 'id' | 'requested'>): string =>
  `export-${requested.toISOString().slice(0, 10)}-${id}`

/** Path of an archive. */
const exportPath = (row: Pick<ExportRow, 'id' | 'requested' | 'token'>): string =>
  `${exportRoot}${row.token}/${exportName(row)}.tar.gz`

/** An export on the wire. */
export const exportObject = (row: ExportRow, publicUrl: string): RealmExport => ({
  id: row.id,
  export_time: seconds(row.requested),
  acting_user_id: row.requester_id,
  export_url: row.state === 'ready' ? publicUrl + exportPath(row) : null,
  deleted_timestamp: row.state === 'deleted' && row.ended ? seconds(row.ended) : null,
  failed_timestamp: row.state === 'failed' && row.ended ? seconds(row.ended) : null,
  pending: row.state === 'pending',
  export_from_prior_server: false,
  export_type: row.kind,
})

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000)
