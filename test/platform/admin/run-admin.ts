import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from '../../../server/config/paths.js'
import type { TestOrganization } from '../../support/server.js'

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs an administration command with the settings of a server. */
export function runAdmin(organization: TestOrganization, args: readonly string[]): Promise<Outcome> {
  return runWith(organization.env(), args)
}

/** Runs it with the given settings. */
export function runWith(settings: Record<string, string>, args: readonly string[]): Promise<Outcome> {
  const program = join(projectRoot, process.env.TEST_DIST ?? 'dist', 'server/admin/main.js')
  return new Promise(resolve => {
    const env = { ...process.env, ...settings }
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}
