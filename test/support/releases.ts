import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../server/config/paths.js'

export interface Release {
  readonly version: string
  /** The commit that is the release; null: the one that contains this entry. */
  readonly commit: string | null
  /** The migrations that are new in the release: from name to checksum. */
  readonly migrations: Readonly<Record<string, string>>
}

/** All releases, oldest first. */
export const releases = (): readonly Release[] =>
  JSON.parse(readFileSync(join(projectRoot, 'test/support/releases.json'), 'utf8'))
