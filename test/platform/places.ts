import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { EmbeddedServer } from '../../server/embedded/embedded-server.js'
import { createLog } from '../../server/log.js'

/** Silent, because these tests cause errors on purpose. */
export const quiet = createLog('silent', 'test')

/** A data directory that is removed after the test. */
export function dataDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-platform-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A server that is stopped after the test in any case. */
export async function stoppedAfter(t: Test, starting: Promise<EmbeddedServer>): Promise<EmbeddedServer> {
  const server = await starting
  t.teardown(() => server.stop())
  return server
}
