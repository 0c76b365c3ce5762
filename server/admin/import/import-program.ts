import { setPriority } from 'node:os'
import type { Ctx } from '../../ctx.js'
import { createLog } from '../../log.js'
import type { StoredChoices } from '../../store/imports/import-requests.js'
import { importOf } from '../../store/imports/imports.js'
import type { Errand, Order, Reply } from '../../transfer/import-process.js'
import { planArchive } from '../../transfer/plan.js'
import { runImport } from '../../transfer/run.js'
import { OtherImportRuns, UnusableArchive } from '../../transfer/source.js'
import { undoImport } from '../../transfer/undo.js'
import type { Choices } from '../../transfer/writer/prepare.js'
import { withOrganization } from '../offline.js'
import { niceness } from './run.js'

// A process that a worker starts for a check, an import or its undoing (transfer/import-process.ts). Without its worker it is not needed.
setPriority(niceness)
process.once('disconnect', () => process.exit(1))
process.once('message', message => void run(message as Errand))

async function run({ config, order }: Errand): Promise<void> {
  const log = createLog(config.logLevel, 'import')
  const operation = order.kind === 'undo' ? 'undo_import' : 'start_import'
  const origin = { userId: order.requesterId, operation, requestId: '', address: '' }
  const reply = await withOrganization(config, log, ctx => replyTo(ctx, order), origin)
  process.send?.(reply)
}

async function replyTo(ctx: Ctx, order: Order): Promise<Reply> {
  try {
    if (order.kind === 'plan') return { kind: 'planned', plan: await planArchive(order.file, ctx.directory) }
    if (order.kind === 'undo') {
      const row = await importOf(ctx.sql, order.digest)
      if (row) await undoImport(ctx, row, true)
      return { kind: 'undone' }
    }
    const { outOfOrder } = order.choices
    await runImport(ctx, order.file, { outOfOrder, choices: choicesOf(order.choices) })
    return { kind: 'imported' }
  } catch (error) {
    if (!(error instanceof UnusableArchive)) throw error
    const reason = order.kind === 'undo' ? error.message : error.message.replaceAll(order.file, 'The archive')
    return { kind: 'refused', reason, isLater: error instanceof OtherImportRuns }
  }
}

const choicesOf = ({ people, channels, leftOut }: StoredChoices): Choices => ({
  people: new Map(Object.entries(people)),
  channelNames: new Map(Object.entries(channels)),
  leftOut: new Set(leftOut),
})
