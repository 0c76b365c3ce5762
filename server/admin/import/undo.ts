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
import { print, printable } from '../output.js'
import { withRedis } from '../redis.js'
import { usable } from './check.js'
import { importIdOf } from './status.js'

/** The command `import undo`: takes away what an import has made. */
export function addUndoCommand(imports: Command): void {
  leaf(imports, 'undo', 'Takes away what an import has made and what was not used since, while people work.', [
    'import undo 1',
  ])
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
          const after = await undoImport(ctx, row, await isServed(ctx.directory.organization.uuid))
          await auditCommand(ctx.sql, 'import_undo', { subject: { import_id: id }, before: null, after: {} })
          return after
        }),
      )
      print(json, undone, [
        `deleted ${undone.messages} messages, ${undone.channels} channels and ${undone.accounts} accounts`,
        ...(undone.accounts_that_stay > 0 ? [`accounts that are used and stay: ${undone.accounts_that_stay}`] : []),
        ...undone.channels_that_stay.map(name => `channel that is used and stays: ${printable(name)}`),
      ])
    })
}

/** Whether workers run. */
async function isServed(organization: string): Promise<boolean> {
  const config = readConfig(process.env)
  try {
    const versions = await withRedis(config, createLog('warn', 'admin'), redis =>
      new Inspection(redis, config.keyPrefix, organization).versions(),
    )
    return versions.length > 0
  } catch (error) {
    // Without its Redis no server runs.
    if (error instanceof AdminError && error.code === 'NO_REDIS') return false
    throw error
  }
}
