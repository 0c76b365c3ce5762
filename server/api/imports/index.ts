import type { Route } from '../route.js'
import { deleteImport } from './delete-import.js'
import { getImport } from './get-import.js'
import { getImports } from './get-imports.js'
import { requestImport } from './request-import.js'
import { startImport } from './start-import.js'
import { undoImport } from './undo-import.js'

export const importsRoutes: readonly Route[] = [
  requestImport,
  getImports,
  getImport,
  startImport,
  undoImport,
  deleteImport,
]
