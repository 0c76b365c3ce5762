import type { Command } from 'commander'
import { addCheckCommand } from './check.js'
import { addFilesCommand } from './files.js'
import { addRunCommand } from './run.js'
import { addStatusCommand } from './status.js'
import { addUndoCommand } from './undo.js'

/** The commands `import check`, `run`, `status`, `files` and `undo`, for archives of other chat servers. */
export function addArchiveCommands(imports: Command): void {
  addCheckCommand(imports)
  addRunCommand(imports)
  addStatusCommand(imports)
  addFilesCommand(imports)
  addUndoCommand(imports)
}
