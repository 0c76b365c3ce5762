import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'
import { createDirectory } from '../disk/owned-paths.js'
import { StartError } from '../failures/start-error.js'

/**
 * Creates the directories of the workers, and checks that this account may write to them: an earlier command of another account could have
 * left one that belongs to it. The data directory itself exists.
 * @throws {StartError}
 */
export async function prepareDirectories({
  dataDir,
  filesDir,
  s3,
}: Pick<Config, 'dataDir' | 'filesDir' | 's3'>): Promise<void> {
  await prepare('DATA_DIR', join(dataDir, 'mail'), 0o700)
  await prepare('DATA_DIR', join(dataDir, 'spool'))
  if (!s3) await prepare('FILES_DIR', filesDir)
}

async function prepare(setting: string, directory: string, mode?: number): Promise<void> {
  try {
    await createDirectory(directory, mode)
    await access(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { message } = error as Error
    throw new StartError(`${setting}: ${directory} cannot be written to by the account of the server: ${message}.`)
  }
}
