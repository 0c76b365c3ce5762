import { readdir } from 'node:fs/promises'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import { openDatabase } from '../store/driver/open-database.js'
import { hasFiles } from '../store/files/attachments.js'

/**
 * Logs a warning if the organization has files and the directory of files is empty: a server with another DATA_DIR and without FILES_DIR would
 * answer 404 for each of them.
 */
export async function warnOfMissingFiles(settings: Config & { databaseUrl: string }, log: Log): Promise<void> {
  const { s3, filesDir, databaseUrl: url, databaseSocket: socket, databaseSchema } = settings
  const names = s3 ? [] : await readdir(filesDir)
  if (s3 || names.some(name => name !== 'unfinished')) return
  const sql = openDatabase({ url, socket }, databaseSchema, 1)
  try {
    if (await hasFiles(sql)) log.warn({ filesDir }, 'the files of the organization are not here: set FILES_DIR')
  } finally {
    await sql.end({ timeout: 5 })
  }
}
