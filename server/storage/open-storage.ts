import { join } from 'node:path'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import { LocalStorage } from './local-storage.js'
import type { Storage } from './storage.js'

const mib = 1024 * 1024

/** The store of files that the settings name. */
export async function openStorage(
  { dataDir, filesDir, s3, maxFileUploadMib }: Pick<Config, 'dataDir' | 'filesDir' | 's3' | 'maxFileUploadMib'>,
  log: Log,
): Promise<Storage> {
  if (!s3) return new LocalStorage(filesDir)
  // The SDK takes half a second and 25 MB: only servers that use it load it.
  const [{ S3Bucket }, { S3Storage }] = await Promise.all([import('./s3-bucket.js'), import('./s3-storage.js')])
  return new S3Storage(new S3Bucket(s3, log), join(dataDir, 'spool'), maxFileUploadMib * mib)
}
