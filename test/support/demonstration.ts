import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { readConfig } from '../../server/config.js'
import { prepareOrganization } from '../../server/demo/prepare.js'
import { createLog } from '../../server/log.js'
import { startServer, testOrganization } from './server.js'

/** A server with the demonstration organization, and the sentences that a start prints for the operator. */
export async function demonstration(t: Test, settings: Record<string, string> = {}) {
  const organization = await testOrganization(t)
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-demo-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  const env = { DEMO: '1', DATA_DIR: dataDir, ...settings }
  const hints = await prepareOrganization(readConfig(organization.env(env)), createLog('silent', 'test'))
  return { hints, server: await startServer(t, env, organization) }
}
