import type { Route } from '../route.js'
import { getAuditLog } from './get-audit-log.js'

export const auditLogRoutes: readonly Route[] = [getAuditLog]
