import type { Route } from '../route.js'
import { endOtherSessions } from './end-other-sessions.js'
import { endOwnSession } from './end-own-session.js'
import { fetchApiKey } from './fetch-api-key.js'
import { getOwnSessions } from './get-own-sessions.js'
import { jwtFetchApiKey } from './jwt-fetch-api-key.js'
import { regenerateOwnApiKey } from './regenerate-own-api-key.js'
import { serverSettings } from './server-settings.js'

export const authRoutes: readonly Route[] = [
  serverSettings,
  fetchApiKey,
  jwtFetchApiKey,
  regenerateOwnApiKey,
  getOwnSessions,
  endOwnSession,
  endOtherSessions,
]
