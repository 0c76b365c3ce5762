import type { Route } from '../route.js'
import { deleteRealmExport } from './delete-realm-export.js'
import { deleteUserExport } from './delete-user-export.js'
import { exportRealm } from './export-realm.js'
import { getExportConsents } from './get-export-consents.js'
import { getRealmExports } from './get-realm-exports.js'
import { getUserExports } from './get-user-exports.js'
import { requestUserExport } from './request-user-export.js'

export const exportsRoutes: readonly Route[] = [
  exportRealm,
  getRealmExports,
  deleteRealmExport,
  getExportConsents,
  requestUserExport,
  getUserExports,
  deleteUserExport,
]
