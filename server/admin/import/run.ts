import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { countFiles } from '../../store/imports/import-files.js'
import { runImport } from '../../transfer/run.js'
import { type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { auditCommand } from '../operator.js'
import { print } from '../output.js'
import { shownTo } from '../progress.js'
import { usable } from './check.js'
import { reportLines, reportOf } from './report.js'

// Behind the server: people notice nothing of an import.
export const niceness = 10

interface Given {
  readonly outOfOrder: boolean
  readonly fileHost: readonly string[]
}

/** The command `import run`: puts an archive of another chat server into the organization. */
export function addRunCommand(imports: Command): void {
  leaf(
    imports,
    'run',
    'Imports the archive of another chat server (Slack, Mattermost, Discord, Zulip), while people work; goes on where it was interrupted.',
    ['import run acme-slack-export.zip'],
  )
    .argument('<file>', 'the archive as it was downloaded: ZIP, tar.gz, or a single .jsonl or .json')
    .option('--out-of-order', 'also messages that are older than those of an earlier import', false)
    .option('--file-host <host...>', 'hosts that may be asked for files, beside those of the source', [])
    .action(async (file: string, { outOfOrder, fileHost }: Given, command: Command) => {
      const { json } = command.optsWithGlobals<Json>()
      setPriority(niceness)
      const progress = shownTo(process.stderr)
      progress.begin(`importing ${file}`, 1)
      const { row, files } = await usable(() =>
        onOrganization(async ctx => {
          const after = await runImport(ctx, file, { outOfOrder, fileHosts: fileHost })
          await auditCommand(ctx.sql, 'import', {
            subject: { file: resolve(file), import_id: after.id },
            before: null,
            after: {},
          })
          return { row: after, files: await countFiles(ctx.sql, after.id) }
        }),
      )
      progress.end()
      print(json, reportOf(row, files), reportLines(row, files))
    })
}
