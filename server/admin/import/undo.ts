import type { Command } from 'commander'
import { readConfig } from '../../config.js'
import { createLog } from '../../log.js'
import { Inspection } from '../../realtime/inspection.js'
import { importById } from '../../store/imports/imports.js'
import { undoImport } from '../../transfer/undo.js'
import { AdminError } from '../admin-error.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { auditCommand } from '../operator.js'
import { print } from '../output.js'
import { withRedis } from '../redis.js'
import { usable } from './check.js'
import { importIdOf } from './status.js'

/** The command `import undo`: takes away what an import has made. */
export function addUndoCommand(imports: Command): void {
  leaf(
    imports,
    'undo',
    'Takes away what an import has made and what was not used since; the server does not run meanwhile.',
    ['import undo 1'],
  )
    .argument('<id>', 'the import, as import status shows it')
    .addOption(yes())
    .action(async (given: string, { yes }: { yes: boolean }, command: Command) => {
      const { json } = command.optsWithGlobals<Json>()
      const id = importIdOf(given)
      await confirmed(yes, `Delete all messages of import ${id}, and the channels and accounts that it made?`)
      const undone = await usable(() =>
        onOrganization(async ctx => {
          const row = await importById(ctx.sql, id)
          if (!row) throw new AdminError(`There is no import ${id}.`, 'NOT_FOUND')
          await requireStopped(ctx.directory.organization.uuid)
          const after = await undoImport(ctx, row)
          await auditCommand(ctx.sql, 'import_undo', { subject: { import_id: id }, before: null, after: {} })
          return after
        }),
      )
      print(json, undone, [
        `deleted ${undone.messages} messages and ${undone.accounts} accounts`,
        ...(undone.accounts_that_stay > 0 ? [`accounts that are used and stay: ${undone.accounts_that_stay}`] : []),
        ...(undone.channels_that_stay > 0 ? [`channels that are used and stay: ${undone.channels_that_stay}`] : []),
      ])
    })
}

/** Workers remember accounts and channels as long as they run. @throws {AdminError} */
async function requireStopped(organization: string): Promise<void> {
  const config = readConfig(process.env)
  try {
    const versions = await withRedis(config, createLog('warn', 'admin'), redis =>
      new Inspection(redis, config.keyPrefix, organization).versions(),
    )
    if (versions.length === 0) return
  } catch (error) {
    // Without its Redis no server runs.
    if (error instanceof AdminError && error.code === 'NO_REDIS') return
    throw error
  }
  throw new AdminError('The server runs: stop it, undo the import, and start it again.', 'SERVER_RUNS')
}
