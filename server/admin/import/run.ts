import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { runImport } from '../../transfer/run.js'
import { type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { auditCommand } from '../operator.js'
import { print } from '../output.js'
import { shownTo } from '../progress.js'
import { usable } from './check.js'
import { reportLines, reportOf } from './report.js'

// Behind the server: people notice nothing of an import.
const niceness = 10

/** The command `import run`: puts an archive of another chat server into the organization. */
export function addRunCommand(imports: Command): void {
  leaf(
    imports,
    'run',
    'Imports the archive of another chat server (Slack, Mattermost), while people work; goes on where it was interrupted.',
    ['import run acme-slack-export.zip'],
  )
    .argument('<file>', 'the ZIP archive as it was downloaded')
    .option('--out-of-order', 'also messages that are older than those of an earlier import', false)
    .action(async (file: string, { outOfOrder }: { outOfOrder: boolean }, command: Command) => {
      const { json } = command.optsWithGlobals<Json>()
      setPriority(niceness)
      const progress = shownTo(process.stderr)
      progress.begin(`importing ${file}`, 1)
      const row = await usable(() =>
        onOrganization(async ctx => {
          const after = await runImport(ctx, file, { outOfOrder })
          await auditCommand(ctx.sql, 'import', {
            subject: { file: resolve(file), import_id: after.id },
            before: null,
            after: {},
          })
          return after
        }),
      )
      progress.end()
      print(json, reportOf(row), reportLines(row))
    })
}
