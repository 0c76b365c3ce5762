import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { countFiles } from '../../store/imports/import-files.js'
import { importById } from '../../store/imports/imports.js'
import { retryFiles } from '../../transfer/retry-files.js'
import { AdminError } from '../admin-error.js'
import { type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { auditCommand } from '../operator.js'
import { print } from '../output.js'
import { shownTo } from '../progress.js'
import { usable } from './check.js'
import { fileLines } from './report.js'
import { importIdOf } from './status.js'

interface Given {
  readonly retry: boolean
  readonly archive?: string
  readonly tokenFile?: string
}

/** The command `import files`: what became of the files of an import, and another attempt for the lost ones. */
export function addFilesCommand(imports: Command): void {
  leaf(imports, 'files', 'Says what became of the files of an import; tries the lost ones once more.', [
    'import files 1',
    'import files 1 --retry --token-file slack-token',
  ])
    .argument('<id>', 'the import, as import status shows it')
    .option('--retry', 'download the lost files once more', false)
    .option('--archive <file>', 'with --retry: the archive, whose lost files are read once more')
    .option('--token-file <file>', 'with --retry: a file with the token by which the source gives its files')
    .action(async (given: string, { retry, archive, tokenFile }: Given, command: Command) => {
      const { json } = command.optsWithGlobals<Json>()
      const id = importIdOf(given)
      if (!retry && (archive ?? tokenFile) !== undefined) {
        throw new AdminError('--archive and --token-file need --retry.', 'BAD_OPTION')
      }
      const token = tokenFile === undefined ? null : await tokenIn(tokenFile)
      const progress = shownTo(process.stderr)
      const files = await usable(() =>
        onOrganization(async ctx => {
          const row = await importById(ctx.sql, id)
          if (!row) throw new AdminError(`There is no import ${id}.`, 'NOT_FOUND')
          if (retry) {
            progress.begin('lost files', 1)
            await retryFiles(ctx, row, { archive: archive ?? null, token, signal: new AbortController().signal })
            progress.end()
            await auditCommand(ctx.sql, 'import_files', { subject: { import_id: id }, before: null, after: {} })
          }
          return countFiles(ctx.sql, id)
        }),
      )
      print(json, files, files.length === 0 ? ['The import has no files.'] : fileLines(files))
    })
}

/** On the command line, other users of the machine could see it. @throws {AdminError} */
async function tokenIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(error => {
    throw new AdminError(`${file} cannot be read: ${(error as Error).message}.`, 'BAD_OPTION')
  })
  const token = text.trim()
  if (!/^[\x21-\x7e]{1,500}$/.test(token)) throw new AdminError(`${file} holds no token.`, 'BAD_OPTION')
  return token
}
